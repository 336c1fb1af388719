import { containsText, foldCase } from '@longshore/contract';
import type { NumberedLine } from './log-buffer.ts';

/** Numbers of the lines that contain the searched text, and whether all lines were searched. */
export type FoundMatches = { matches: number[]; isDone: boolean };

/**
 * Searches a list that grows at its end and is truncated at its beginning. Each call searches the next `batchSize` lines;
 * no line is searched twice.
 */
export function createMatchFinder(
  search: string,
  batchSize = Number.POSITIVE_INFINITY,
): (lines: readonly NumberedLine[]) => FoundMatches {
  let lastSearched = 0;
  let matches: number[] = [];
  return (lines) => {
    if (search === '') return { matches: [], isDone: true };
    const from = firstAfter(lines, lastSearched);
    const next = lines.slice(from, from + batchSize);
    const found = next.filter(({ text }) => containsText(text, search)).map(({ number }) => number);
    const oldest = lines[0]?.number ?? Number.POSITIVE_INFINITY;
    const firstRetained = matches.findIndex((number) => number >= oldest);
    matches = [...(firstRetained < 0 ? [] : matches.slice(firstRetained)), ...found];
    lastSearched = next.at(-1)?.number ?? lastSearched;
    return { matches, isDone: from + next.length === lines.length };
  };
}

/** Current position of a line; undefined when it is no longer in the list. */
export function positionOf(
  lines: readonly NumberedLine[],
  number: number | undefined,
): number | undefined {
  if (number === undefined) return undefined;
  const position = firstAfter(lines, number - 1);
  return lines[position]?.number === number ? position : undefined;
}

/** Position of the first line with a greater number. */
function firstAfter(lines: readonly NumberedLine[], number: number): number {
  let [low, high] = [0, lines.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines[middle]?.number ?? 0) <= number) low = middle + 1;
    else high = middle;
  }
  return low;
}

export type HighlightPart = { text: string; isMatch: boolean };

/** Splits a text around every match, ignoring case. */
export function highlightParts(text: string, search: string): HighlightPart[] {
  if (search === '') return [{ text, isMatch: false }];
  const parts: HighlightPart[] = [];
  const folded = foldCase(text);
  const needle = foldCase(search);
  let end = 0;
  for (let match = folded.indexOf(needle); match !== -1; match = folded.indexOf(needle, end)) {
    if (match > end) parts.push({ text: text.slice(end, match), isMatch: false });
    end = match + needle.length;
    parts.push({ text: text.slice(match, end), isMatch: true });
  }
  if (end < text.length) parts.push({ text: text.slice(end), isMatch: false });
  return parts;
}
