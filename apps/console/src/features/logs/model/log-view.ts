import type { NumberedLine } from './log-buffer.ts';

export type LogFilter = 'all' | 'app' | 'build';

/** Spec §4, Log filters: offered only when both kinds of lines exist. */
export function hasBothSources(lines: NumberedLine[]): boolean {
  return (
    lines.some((line) => line.source === 'app') && lines.some((line) => line.source === 'build')
  );
}

export function filteredLines(lines: NumberedLine[], filter: LogFilter): NumberedLine[] {
  return filter === 'all' ? lines : lines.filter((line) => line.source === filter);
}

/** Of the build lines only those of the newest build: the release that is being deployed. */
export function newestBuild(lines: NumberedLine[]): NumberedLine[] {
  const builds = filteredLines(lines, 'build');
  const name = builds.at(-1)?.name;
  return builds.filter((line) => line.name === name);
}

export function stepped(current: number, step: 1 | -1, count: number): number {
  return count === 0 ? 0 : (current + step + count) % count;
}

/** How many of the lines came after those that are held. */
export function linesAfter(lines: NumberedLine[], held: NumberedLine[]): number {
  return (lines.at(-1)?.number ?? 0) - (held.at(-1)?.number ?? 0);
}

/** When a line was said, where the reader is: `09:05:02.117`. */
export function timeOfDay(at: string | undefined): string {
  if (at === undefined) return '';
  const time = new Date(at);
  const [hours, minutes, seconds] = [time.getHours(), time.getMinutes(), time.getSeconds()].map(
    (part) => String(part).padStart(2, '0'),
  );
  return `${hours}:${minutes}:${seconds}.${String(time.getMilliseconds()).padStart(3, '0')}`;
}
