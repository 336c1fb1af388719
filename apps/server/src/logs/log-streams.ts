/**
 * The lines of an app's instances and those of each build and command are stored in separate streams, so that rotation of one does
 * not delete lines of another. All streams of a log share one sequence of line numbers. A stream consists of segments, each named
 * after the sequence number of its first line.
 */
export const APP_STREAM = '.';
const BUILD_STREAM = /^build-(\d{1,15})$/;
const COMMAND_STREAM = /^command-(\d{1,15})$/;

/** The last stored sequence number of each stream of a log. */
export type StoredSequences = ReadonlyMap<string, number>;

/** The stream in which lines with this log name are stored. */
export function streamOf(name: string): string {
  const [, kind, number] = /-(build|command)-(\d{1,15})$/.exec(name) ?? [];
  if (kind === undefined) return APP_STREAM;
  return kind === 'build' ? buildStream(Number(number)) : commandStream(Number(number));
}

export function commandStream(number: number): string {
  return `command-${number}`;
}

export function isCommandStream(stream: string): boolean {
  return COMMAND_STREAM.test(stream);
}

export function buildStream(release: number): string {
  return `build-${release}`;
}

/** Of these names, the streams of builds, oldest first. */
export function buildStreams(names: Iterable<string>): string[] {
  return numbered(names, BUILD_STREAM);
}

/** Of these names, the streams of commands, oldest first. */
export function commandStreams(names: Iterable<string>): string[] {
  return numbered(names, COMMAND_STREAM);
}

function numbered(names: Iterable<string>, pattern: RegExp): string[] {
  const numberOf = (stream: string) => Number(pattern.exec(stream)?.[1]);
  return [...names]
    .filter((name) => pattern.test(name))
    .sort((one, other) => numberOf(one) - numberOf(other));
}
