import type { LogLine, LogSource } from '@longshore/contract';

/**
 * A line as the page keeps it, with as little memory as possible. The number grows from line to line; it is the line's
 * sequence number if the server sends one.
 */
export type NumberedLine = {
  number: number;
  name: string;
  source: LogSource;
  text: string;
  at: number | undefined;
};

/**
 * An immutable list of lines in chunks, so that a million lines can grow at both ends without being copied. A row keeps
 * its id while lines are added or removed before it; the ids of a list are consecutive.
 */
export type LineList = {
  firstId: number;
  length: number;
  chunks: readonly (readonly NumberedLine[])[];
  /** The position of the first line of each chunk. */
  starts: readonly number[];
};

const CHUNK_LINES = 1_024;

export const NO_LINES: LineList = { firstId: 0, length: 0, chunks: [], starts: [] };

/** `names` holds one copy of each log name, which thousands of lines share. */
export function numberedLine(
  { name, source, text, at, sequence }: LogLine,
  lastNumber: number,
  names: Map<string, string>,
): NumberedLine {
  const shared = names.get(name) ?? name;
  names.set(name, shared);
  const number = sequence ?? lastNumber + 1;
  return { number, name: shared, source, text, at: at === undefined ? undefined : Date.parse(at) };
}

export function appendLines(list: LineList, lines: readonly NumberedLine[]): LineList {
  if (lines.length === 0) return list;
  const last = list.chunks.at(-1) ?? [];
  const isMerged = last.length > 0 && last.length + lines.length <= CHUNK_LINES;
  return isMerged
    ? listOf([...list.chunks.slice(0, -1), [...last, ...lines]], list.firstId)
    : listOf([...list.chunks, ...chunksOf(lines)], list.firstId);
}

export function prependLines(list: LineList, lines: readonly NumberedLine[]): LineList {
  return listOf([...chunksOf(lines), ...list.chunks], list.firstId - lines.length);
}

/** Drops the first lines, whole chunks at a time, until at most `max` remain. */
export function dropFirst(list: LineList, max: number): LineList {
  let dropped = 0;
  let count = 0;
  while (list.length - dropped > max) {
    dropped += list.chunks[count]?.length ?? 0;
    count += 1;
  }
  return count === 0 ? list : listOf(list.chunks.slice(count), list.firstId + dropped);
}

/** Drops the last lines, whole chunks at a time, until at most `max` remain. */
export function dropLast(list: LineList, max: number): LineList {
  let length = list.length;
  let count = list.chunks.length;
  while (length > max) {
    count -= 1;
    length -= list.chunks[count]?.length ?? 0;
  }
  return count === list.chunks.length ? list : listOf(list.chunks.slice(0, count), list.firstId);
}

export function lineAt({ chunks, starts }: LineList, position: number): NumberedLine | undefined {
  const chunk = lastAtOrBefore(starts, position);
  return chunks[chunk]?.[position - (starts[chunk] ?? 0)];
}

export function lastLine(list: LineList): NumberedLine | undefined {
  return list.chunks.at(-1)?.at(-1);
}

/** The position of the first line with this number or a greater one. */
export function positionFrom(list: LineList, number: number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lineAt(list, middle)?.number ?? 0) < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The position of the line with this number; undefined if it is not in the list. */
export function positionOf(list: LineList, number: number | undefined): number | undefined {
  if (number === undefined) return undefined;
  const position = positionFrom(list, number);
  return lineAt(list, position)?.number === number ? position : undefined;
}

export function linesOf(list: LineList, from = 0, to = list.length): NumberedLine[] {
  const first = lastAtOrBefore(list.starts, from);
  const last = lastAtOrBefore(list.starts, to);
  const start = list.starts[first] ?? 0;
  return list.chunks
    .slice(first, last + 1)
    .flat()
    .slice(from - start, Math.max(0, to - start));
}

function listOf(chunks: readonly (readonly NumberedLine[])[], firstId: number): LineList {
  let length = 0;
  const starts = chunks.map((chunk) => {
    length += chunk.length;
    return length - chunk.length;
  });
  return { firstId, length, chunks, starts };
}

function chunksOf(lines: readonly NumberedLine[]): (readonly NumberedLine[])[] {
  const chunks: (readonly NumberedLine[])[] = [];
  for (let from = 0; from < lines.length; from += CHUNK_LINES) {
    chunks.push(lines.slice(from, from + CHUNK_LINES));
  }
  return chunks;
}

/** The index of the last value that is not greater than the given one; 0 if all are greater. */
function lastAtOrBefore(values: readonly number[], value: number): number {
  let [low, high] = [0, values.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((values[middle] ?? 0) <= value) low = middle;
    else high = middle - 1;
  }
  return Math.max(0, low);
}
