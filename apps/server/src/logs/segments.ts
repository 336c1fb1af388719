import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { absent } from './absent.ts';

const SEGMENT_NAME = /^(\d{1,15})\.log$/;

/** A segment is named by the sequence of its first line. */
export function segmentPath(folder: string, first: number): string {
  return join(folder, `${first}.log`);
}

/** The segments of one app, oldest first, each by the sequence of its first line. */
export async function listSegments(folder: string): Promise<number[]> {
  const names = await readdir(folder).catch(absent<string[]>([]));
  return names
    .flatMap((name) => SEGMENT_NAME.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((one, other) => one - other);
}
