import type { NumberedLine } from './log-buffer.ts';

export type LogFilter = 'all' | 'app' | 'build';

/** Filters are shown only when both kinds of lines exist (spec-map 4.2.20). */
export function hasBothSources(lines: NumberedLine[]): boolean {
  return (
    lines.some((line) => line.source === 'app') && lines.some((line) => line.source === 'build')
  );
}

export function filteredLines(lines: NumberedLine[], filter: LogFilter): NumberedLine[] {
  return filter === 'all' ? lines : lines.filter((line) => line.source === filter);
}

/** The lines of the newest build only, which is the one in progress. */
export function newestBuild(lines: NumberedLine[]): NumberedLine[] {
  const builds = filteredLines(lines, 'build');
  const name = builds.at(-1)?.name;
  return builds.filter((line) => line.name === name);
}

export function stepMatch(current: number, step: 1 | -1, count: number): number {
  return count === 0 ? 0 : (current + step + count) % count;
}

/** Number of lines that arrived after the log was paused. */
export function countLinesAfter(lines: NumberedLine[], pausedLines: NumberedLine[]): number {
  return (lines.at(-1)?.number ?? 0) - (pausedLines.at(-1)?.number ?? 0);
}

/** Local time of a line, such as `09:05:02.117`. */
export function timeOfDay(at: string | undefined): string {
  if (at === undefined) return '';
  const time = new Date(at);
  const [hours, minutes, seconds] = [time.getHours(), time.getMinutes(), time.getSeconds()].map(
    (part) => String(part).padStart(2, '0'),
  );
  return `${hours}:${minutes}:${seconds}.${String(time.getMilliseconds()).padStart(3, '0')}`;
}

export type ScrollPosition = { top: number; height: number; visible: number };

const END_TOLERANCE_PX = 8;

/** Scrolling up stops following, and scrolling to the end resumes it. New lines do not change it. */
export function followsAfterScroll(
  isFollowing: boolean,
  lastTop: number,
  position: ScrollPosition,
): boolean {
  if (isAtEnd(position)) return true;
  return position.top < lastTop ? false : isFollowing;
}

function isAtEnd({ top, height, visible }: ScrollPosition): boolean {
  return height - top - visible <= END_TOLERANCE_PX;
}
