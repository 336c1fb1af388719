import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { absent } from './absent.ts';

/**
 * The lines of an app's instances, and those of each of its builds, are kept in streams of their own, so that none can
 * push out another one. They share their numbers. Each is a folder of segments; that of the instances is the app's folder.
 */
export const APP_STREAM = '.';
const BUILD_STREAM = /^build-(\d{1,15})$/;

/** By the name of a line. */
export function streamOf(name: string): string {
  const release = /-build-(\d{1,15})$/.exec(name)?.[1];
  return release === undefined ? APP_STREAM : buildStream(Number(release));
}

export function buildStream(release: number): string {
  return `build-${release}`;
}

export function streamFolder(folder: string, stream: string): string {
  return join(folder, stream);
}

/** The builds of an app that have lines, oldest first. */
export async function listBuilds(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(absent<string[]>([]));
  return names
    .filter((name) => BUILD_STREAM.test(name))
    .sort((one, other) => age(one) - age(other));
}

function age(stream: string): number {
  return Number(BUILD_STREAM.exec(stream)?.[1]);
}
