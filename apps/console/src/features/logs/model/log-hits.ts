import { withoutAnsi } from './ansi.ts';
import type { NumberedLine } from './log-buffer.ts';

/** Numbers of the lines that hold the searched text, and whether all lines were looked at. */
export type FoundHits = { hits: number[]; isDone: boolean };

/**
 * Made for one search over a list that grows at its end and is cut at its beginning: no line is looked at twice, however
 * often the list changes. Each time it looks at `mostAtOnce` lines, so that a long list is looked through in turns.
 */
export function createHitFinder(
  search: string,
  mostAtOnce = Number.POSITIVE_INFINITY,
): (lines: readonly NumberedLine[]) => FoundHits {
  const wanted = search.toLowerCase();
  let lookedAt = 0;
  let hits: number[] = [];
  return (lines) => {
    if (wanted === '') return { hits: [], isDone: true };
    const from = firstAfter(lines, lookedAt);
    const next = lines.slice(from, from + mostAtOnce);
    const found = next
      .filter(({ text }) => withoutAnsi(text).toLowerCase().includes(wanted))
      .map(({ number }) => number);
    const oldest = lines[0]?.number ?? Number.POSITIVE_INFINITY;
    const gone = hits.findIndex((number) => number >= oldest);
    hits = [...(gone < 0 ? [] : hits.slice(gone)), ...found];
    lookedAt = next.at(-1)?.number ?? lookedAt;
    return { hits, isDone: from + next.length === lines.length };
  };
}

/** Where a line stands now; undefined when it is gone. */
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
