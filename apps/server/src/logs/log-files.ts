import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The lines of an app's instances and those of each build and command are stored in separate streams, so that rotation of one does
 * not delete lines of another. All streams of an app share one sequence of line numbers. A stream is a folder of
 * segment files; the stream of the instances is the app's own folder.
 */
export const APP_STREAM = '.';
/**
 * The requests of visitors are a log of their own inside the folder of the app, with their own numbers, buffer and limits:
 * however many there are, they cost the app none of its lines.
 */
export const ACCESS_FOLDER = 'access';
const BUILD_STREAM = /^build-(\d{1,15})$/;
const COMMAND_STREAM = /^command-(\d{1,15})$/;
const SEGMENT_NAME = /^(\d{1,15})\.log$/;

/** The last stored sequence number of each stream of an app. */
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

export function streamFolder(folder: string, stream: string): string {
  return join(folder, stream);
}

/** The build streams of an app, oldest first. */
export function listBuildStreams(folder: string): Promise<string[]> {
  return listStreams(folder, BUILD_STREAM);
}

/** The streams of commands, oldest first. */
export function listCommandStreams(folder: string): Promise<string[]> {
  return listStreams(folder, COMMAND_STREAM);
}

async function listStreams(folder: string, pattern: RegExp): Promise<string[]> {
  const names = await readdir(folder).catch(ifMissing<string[]>([]));
  const numberOf = (stream: string) => Number(pattern.exec(stream)?.[1]);
  return names
    .filter((name) => pattern.test(name))
    .sort((one, other) => numberOf(one) - numberOf(other));
}

/** A segment is named after the sequence number of its first line. */
export function segmentPath(folder: string, first: number): string {
  return join(folder, `${first}.log`);
}

/** The segments of a stream, oldest first, each by the sequence number of its first line. */
export async function listSegments(folder: string): Promise<number[]> {
  const names = await readdir(folder).catch(ifMissing<string[]>([]));
  return names
    .flatMap((name) => SEGMENT_NAME.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((one, other) => one - other);
}

export type FileRange = { bytes: Buffer; fileBytes: number };

/** Reads a part of a file. A negative `start` counts from the end. Undefined if the file is missing. */
export async function readRange(
  path: string,
  start: number,
  maxBytes: number,
): Promise<FileRange | undefined> {
  const file = await open(path).catch(ifMissing(undefined));
  if (file === undefined) return undefined;
  try {
    const { size } = await file.stat();
    const from = start < 0 ? Math.max(0, size + start) : start;
    const length = Math.max(0, Math.min(maxBytes, size - from));
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from);
    return { bytes: buffer.subarray(0, bytesRead), fileBytes: size };
  } finally {
    await file.close();
  }
}

/** For a `catch`: returns `value` if the file does not exist, and rethrows any other error. */
function ifMissing<T>(value: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return value;
    throw error;
  };
}
