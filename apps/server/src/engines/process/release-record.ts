import { lstat, mkdir, readdir } from 'node:fs/promises';
import { z } from 'zod';
import { readJson, writeJson } from '../json-file.ts';
import type { EngineDeps } from './deps.ts';
import type { AppLayout } from './layout.ts';
import { readPlainFilesState } from './plain-files-state.ts';

const RECORD = /^(\d+)\.json$/;
const argv = z.tuple([z.string()], z.string());

/** Written last: a release without a record is not built, even if its folder exists. */
const releaseRecord = z.object({
  number: z.number(),
  /** The release whose folder it shares, if it reuses a build. */
  builtAs: z.number().optional(),
  revision: z.string(),
  /** Missing in records of versions that did not record it. */
  inputs: z.object({ arguments: z.array(z.string()), startCommand: z.boolean() }).optional(),
  /** Where the app finds its folder in its sandbox. Missing: at its path on the machine, as before there were sandboxes. */
  root: z.string().optional(),
  start: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('command'),
      argv,
      env: z.record(z.string(), z.string()),
      /** Missing in records of versions that supported only Node. */
      path: z.array(z.string()).default(['node_modules/.bin']),
    }),
    z.object({
      kind: z.literal('static'),
      folder: z.string(),
      /** Missing in records of versions without it. */
      isSinglePage: z.boolean().optional(),
    }),
  ]),
});

export type ReleaseRecord = z.infer<typeof releaseRecord>;

type EngineMode = Pick<EngineDeps, 'isolated'>;

export async function readReleaseRecord(
  layout: AppLayout,
  number: number,
  mode: EngineMode,
): Promise<ReleaseRecord | undefined> {
  const record = await readJson(layout.releaseRecord(number), releaseRecord);
  if (record === undefined) return undefined;
  const disk = await lstat(layout.disk).catch(() => undefined);
  const isPlain = await isPlainRelease(record, layout);
  if (mode.isolated === undefined || !disk?.isFile()) return isPlain ? record : undefined;
  const isOnDisk = !isPlain || (await readPlainFilesState(layout)) !== undefined;
  return isOnDisk ? record : undefined;
}

/** Whether the release is in a folder that an app which is not isolated can use. */
async function isPlainRelease(record: ReleaseRecord, layout: AppLayout): Promise<boolean> {
  const folder = await lstat(layout.release(folderNumber(record))).catch(() => undefined);
  return folder?.isDirectory() === true && record.root === undefined;
}

/** The number of the release whose folder it uses. */
export function folderNumber({ number, builtAs }: ReleaseRecord): number {
  return builtAs ?? number;
}

export async function writeReleaseRecord(layout: AppLayout, record: ReleaseRecord): Promise<void> {
  await mkdir(layout.releaseRecords, { recursive: true, mode: 0o700 });
  await writeJson(layout.releaseRecord(record.number), record);
}

/** All built releases. */
export async function readBuiltReleases(
  layout: AppLayout,
  mode: EngineMode,
): Promise<ReleaseRecord[]> {
  const numbers = await listNumbers(layout.releaseRecords, RECORD);
  const records = await Promise.all(
    numbers.map((number) => readReleaseRecord(layout, number, mode)),
  );
  return records.filter((record) => record !== undefined);
}

/** All releases that apps which are not isolated can use. */
export function readPlainReleases(layout: AppLayout): Promise<ReleaseRecord[]> {
  return readBuiltReleases(layout, { isolated: undefined });
}

/** Numbers of all releases that have a record or a folder in one of these, built or not. */
export async function listReleases(layout: AppLayout, releases: string[]): Promise<number[]> {
  const records = await listNumbers(layout.releaseRecords, RECORD);
  const found = await Promise.all(releases.map((folder) => listNumbers(folder, /^(\d+)$/)));
  const folders = found.flat();
  return [...new Set([...records, ...folders])].sort((one, other) => one - other);
}

async function listNumbers(folder: string, name: RegExp): Promise<number[]> {
  const names = await listFolder(folder);
  return names
    .map((entry) => name.exec(entry)?.[1])
    .filter((digits) => digits !== undefined)
    .map(Number)
    .sort((one, other) => one - other);
}

/** The names in a folder; empty when it does not exist. */
export async function listFolder(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
