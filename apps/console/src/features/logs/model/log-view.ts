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
