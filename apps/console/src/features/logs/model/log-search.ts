import { containsText, foldCase } from '@longshore/contract';
import { type LineList, lineAt, linesOf, type NumberedLine, positionFrom } from './line-list.ts';

/** Numbers of the lines that contain the searched text, and whether all lines were searched. */
export type FoundMatches = { matches: number[]; isDone: boolean };

/**
 * Searches a list that grows at its end and is truncated at its beginning. Each call searches the next `batchSize` lines;
 * no line is searched twice.
 */
export function createMatchFinder(
  search: string,
  isSearched: (line: NumberedLine) => boolean = () => true,
  batchSize = Number.POSITIVE_INFINITY,
): (lines: LineList) => FoundMatches {
  let nextNumber = 0;
  let matches: number[] = [];
  return (lines) => {
    if (search === '') return { matches: [], isDone: true };
    const from = positionFrom(lines, nextNumber);
    const next = linesOf(lines, from, from + batchSize);
    const found = next
      .filter((line) => isSearched(line) && containsText(line.text, search))
      .map(({ number }) => number);
    const oldest = lineAt(lines, 0)?.number ?? Number.POSITIVE_INFINITY;
    const firstRetained = matches.findIndex((number) => number >= oldest);
    matches = [...(firstRetained < 0 ? [] : matches.slice(firstRetained)), ...found];
    nextNumber = (next.at(-1)?.number ?? nextNumber - 1) + 1;
    return { matches, isDone: from + next.length === lines.length };
  };
}

/** All matches, newest first: those the server found, and those in lines that it had not stored when it searched. */
export function allMatches(
  onServer: { numbers: readonly number[]; until: number | undefined },
  inRecent: readonly number[],
): number[] {
  const { numbers, until = Number.NEGATIVE_INFINITY } = onServer;
  return [...inRecent.filter((number) => number >= until).reverse(), ...numbers];
}

/** The match a number of steps further; from the last one to the first. Undefined if there is none. */
export function stepMatch(
  matches: readonly number[],
  current: number | undefined,
  step: 1 | -1,
): number | undefined {
  const index = current === undefined ? -1 : matches.indexOf(current);
  return matches[(Math.max(index, step === 1 ? -1 : 0) + step + matches.length) % matches.length];
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
