import { rm } from 'node:fs/promises';
import { z } from 'zod';
import { readJson, writeJson } from '../json-file.ts';
import type { AppLayout } from './layout.ts';

/**
 * Where apps are not isolated, and in versions without sandboxes, the files of an app are in plain folders. What a server that
 * isolates apps has done with them:
 *
 * - `copied`: the disk of the app is a copy, or becomes one. The folders count until an isolated instance answers.
 * - `retired`: the disk counts. The folders are removed.
 * - Undefined: nothing. If the app has a disk, the folders were made after isolation became impossible.
 */
export type PlainFilesState = z.infer<typeof plainFilesState> | undefined;

const plainFilesState = z.enum(['copied', 'retired']);

export async function readPlainFilesState({ plainFiles }: AppLayout): Promise<PlainFilesState> {
  return await readJson(plainFiles, plainFilesState);
}

export async function writePlainFilesState(
  { plainFiles }: AppLayout,
  state: PlainFilesState,
): Promise<void> {
  await (state === undefined ? rm(plainFiles, { force: true }) : writeJson(plainFiles, state));
}
