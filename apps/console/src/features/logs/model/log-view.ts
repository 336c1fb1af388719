import type { OutputSource } from '@longshore/contract';
import type { NumberedLine } from './line-list.ts';

export type ShownKind = 'all' | OutputSource;

/** What the log viewer shows: the output of app and builds, or the requests of visitors. */
export type ShownSource = 'output' | 'access';

/** The lines of the newest build only, which is the one in progress. */
export function newestBuild(lines: NumberedLine[]): NumberedLine[] {
  const builds = lines.filter((line) => line.source === 'build');
  const name = builds.at(-1)?.name;
  return builds.filter((line) => line.name === name);
}

/** Local time of a line, such as `09:05:02.117`. */
export function timeOfDay(at: number | undefined): string {
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
