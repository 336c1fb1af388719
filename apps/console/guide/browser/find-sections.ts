import type { Section } from '../sections.ts';

const MAX_RESULTS = 8;
const IN_HEADING = 4;
const IN_PAGE_TITLE = 2;
const IN_TEXT = 1;

/** The sections that contain every word; matches in headings are first. */
export function findSections(sections: readonly Section[], query: string): Section[] {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  return sections
    .map((section) => ({ section, score: scoreOf(section, words) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, MAX_RESULTS)
    .map(({ section }) => section);
}

/** The text around the first match in a section. */
export function excerptOf({ text }: Section, query: string, length = 120): string {
  const lower = text.toLowerCase();
  const matches = wordsOf(query)
    .map((word) => lower.indexOf(word))
    .filter((at) => at >= 0);
  const match = matches.length === 0 ? 0 : Math.min(...matches);
  const from = match < length / 2 ? 0 : lower.lastIndexOf(' ', match - length / 4) + 1;
  const end = from + length;
  return `${from > 0 ? '…' : ''}${text.slice(from, end)}${end < text.length ? '…' : ''}`;
}

function scoreOf({ page, heading, text }: Section, words: string[]): number {
  let score = 0;
  for (const word of words) {
    const found =
      (has(heading, word) ? IN_HEADING : 0) +
      (has(page, word) ? IN_PAGE_TITLE : 0) +
      (has(text, word) ? IN_TEXT : 0);
    if (found === 0) return 0;
    score += found;
  }
  return score;
}

function has(text: string, word: string): boolean {
  return text.toLowerCase().includes(word);
}

function wordsOf(query: string): string[] {
  return query.toLowerCase().split(/\s+/).filter(Boolean);
}
