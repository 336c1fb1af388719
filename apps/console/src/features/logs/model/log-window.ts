import type { LogSource, OutputSource } from '@longshore/contract';
import {
  appendLines,
  dropFirst,
  dropLast,
  type LineList,
  lastLine,
  lineAt,
  linesOf,
  NO_LINES,
  type NumberedLine,
  positionFrom,
  prependLines,
} from './line-list.ts';

/** Which lines are shown. Times in milliseconds since 1970. */
export type LogSelection = {
  kind?: LogSource | undefined;
  from?: number | undefined;
  to?: number | undefined;
};

/**
 * The lines of an app that the page has loaded. `live` appends new lines as they arrive; `paused` leaves them out until
 * the user resumes; `history` is a part of the log further back, which ends before the newest lines.
 */
export type LogWindow = {
  selection: LogSelection;
  mode: 'live' | 'paused' | 'history';
  /** The lines of the selection from the first to the last one loaded, without a gap. */
  lines: LineList;
  /** Grows when the lines are replaced by others. */
  version: number;
  /** There is no older line of the selection on the server. */
  isAtStart: boolean;
  /** Lines of the selection that arrived while the window was not live. */
  newLines: number;
  /** The newest lines of all kinds, without a gap. */
  recent: LineList;
  hasKind: Record<OutputSource, boolean>;
  /** The server numbers its lines, so it can be asked for others than those it streams. */
  isNumbered: boolean;
};

/** Older lines are dropped. A line of 80 characters takes about 200 bytes. */
const MAX_LINES = 1_000_000;
const MAX_RECENT = 10_000;

export type WindowLimits = { lines: number; recent: number };

const DEFAULT_LIMITS: WindowLimits = { lines: MAX_LINES, recent: MAX_RECENT };

export function emptyWindow(selection: LogSelection = {}): LogWindow {
  return {
    selection,
    mode: 'live',
    lines: NO_LINES,
    version: 0,
    isAtStart: false,
    newLines: 0,
    recent: NO_LINES,
    hasKind: { app: false, build: false },
    isNumbered: false,
  };
}

/** New lines of the stream, of all kinds. */
export function withReceived(
  window: LogWindow,
  received: readonly NumberedLine[],
  { isNumbered, limits = DEFAULT_LIMITS }: { isNumbered: boolean; limits?: WindowLimits },
): LogWindow {
  const matching = received.filter((line) => isSelected(line, window.selection));
  const next = {
    ...window,
    isNumbered,
    recent: dropFirst(appendLines(window.recent, received), limits.recent),
    hasKind: {
      app: window.hasKind.app || received.some(({ source }) => source === 'app'),
      build: window.hasKind.build || received.some(({ source }) => source === 'build'),
    },
  };
  if (window.mode !== 'live') return { ...next, newLines: window.newLines + matching.length };
  const grown = appendLines(window.lines, matching);
  const lines = dropFirst(grown, limits.lines);
  return { ...next, lines, isAtStart: window.isAtStart && lines === grown };
}

/** Other lines, beginning with the newest. */
export function withSelection(window: LogWindow, selection: LogSelection): LogWindow {
  return showNewest({ ...window, selection });
}

export function paused(window: LogWindow): LogWindow {
  return { ...window, mode: 'paused', newLines: 0 };
}

/** Live again: continues after the last line if nothing is missing, otherwise begins with the newest lines. */
export function withLatest(window: LogWindow): LogWindow {
  if (window.mode === 'live') return window;
  const last = lastLine(window.lines)?.number ?? Number.NEGATIVE_INFINITY;
  const first = lineAt(window.recent, 0)?.number ?? Number.POSITIVE_INFINITY;
  return last >= first ? continued(window) : showNewest(window);
}

/** Lines before the first one. `isComplete`: there are no others before them. */
export function withOlder(
  window: LogWindow,
  older: readonly NumberedLine[],
  { isComplete, limits = DEFAULT_LIMITS }: { isComplete: boolean; limits?: WindowLimits },
): LogWindow {
  const grown = prependLines(window.lines, older);
  const lines = dropLast(grown, limits.lines);
  const mode = lines === grown ? window.mode : 'history';
  return { ...window, lines, mode, isAtStart: isComplete };
}

/** Lines after the last one, in history. `isComplete`: these are the newest. */
export function withNewer(
  window: LogWindow,
  newer: readonly NumberedLine[],
  { isComplete, limits = DEFAULT_LIMITS }: { isComplete: boolean; limits?: WindowLimits },
): LogWindow {
  const grown = appendLines(window.lines, newer);
  const lines = dropFirst(grown, limits.lines);
  const next = { ...window, lines, isAtStart: window.isAtStart && lines === grown };
  const last = lastLine(lines)?.number ?? 0;
  const reachesRecent = last >= (lineAt(window.recent, 0)?.number ?? Number.POSITIVE_INFINITY);
  return isComplete || reachesRecent ? continued(next) : next;
}

/** A part of the log further back. */
export function withHistory(
  window: LogWindow,
  lines: readonly NumberedLine[],
  { isAtStart }: { isAtStart: boolean },
): LogWindow {
  return {
    ...window,
    mode: 'history',
    lines: appendLines(NO_LINES, lines),
    version: window.version + 1,
    isAtStart,
    newLines: 0,
  };
}

/** Older lines are those before this number. Undefined if none can be asked for. */
export function olderBefore({ isNumbered, isAtStart, lines, recent }: LogWindow) {
  if (!isNumbered || isAtStart) return undefined;
  return (lineAt(lines, 0) ?? lineAt(recent, 0))?.number;
}

/** Newer lines are those after this number. Undefined if they arrive by themselves. */
export function newerAfter({ mode, lines }: LogWindow): number | undefined {
  return mode === 'history' ? lastLine(lines)?.number : undefined;
}

export function isSelected(line: NumberedLine, { kind, from, to }: LogSelection): boolean {
  return (
    (kind === undefined || line.source === kind) &&
    (from === undefined || (line.at ?? 0) >= from) &&
    (to === undefined || (line.at ?? 0) <= to)
  );
}

function showNewest(window: LogWindow): LogWindow {
  const newest = linesOf(window.recent).filter((line) => isSelected(line, window.selection));
  return {
    ...window,
    mode: 'live',
    lines: appendLines(NO_LINES, newest),
    version: window.version + 1,
    isAtStart: false,
    newLines: 0,
  };
}

/** Adds the recent lines after the last one. */
function continued(window: LogWindow): LogWindow {
  const last = lastLine(window.lines)?.number ?? 0;
  const missing = linesOf(window.recent, positionFrom(window.recent, last + 1));
  const lines = appendLines(
    window.lines,
    missing.filter((line) => isSelected(line, window.selection)),
  );
  return { ...window, mode: 'live', lines, newLines: 0 };
}
