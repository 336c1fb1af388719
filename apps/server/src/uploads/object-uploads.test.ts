import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import type pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/db/test-database.ts';
import { archiveOf } from '../../test/uploads/archives.ts';
import { archivePath, incomingFolder } from '../build/unpack-upload.ts';
import { createDatabase, createPool } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { openDiskStore } from '../storage/disk-store.ts';
import { type FileStore, FileStoreDown } from '../storage/file-store.ts';
import { createObjectUploads, type ObjectUploads } from './object-uploads.ts';
import { openUploadStore } from './upload-store.ts';

const LIMITS = { maxReceivedBytes: 1e6, maxBytes: 1e6, maxEntries: 100, maxDepth: 10 };
const DAY_MS = 86_400_000;
const { signal } = new AbortController();

let database: TestDatabase;
let pool: pg.Pool;
let root: string;
let clock: { ahead: number; now(): number };
let first: ObjectUploads;
let second: ObjectUploads;

beforeEach(async () => {
  database = await createTestDatabase(migrate);
  pool = createPool(database.connection, () => {});
  root = await mkdtemp(join(tmpdir(), 'longshore-uploads-'));
  clock = { ahead: 0, now: () => Date.now() + clock.ahead };
  [first, second] = [await openServer('first'), await openServer('second')];
});
afterEach(async () => {
  await pool.end();
  await database.drop();
  await rm(root, { recursive: true });
});

const dataDir = (name: string) => join(root, name);

/** Servers with data directories of their own share the objects, here in a folder. */
async function openServer(name: string, change: Partial<FileStore> = {}): Promise<ObjectUploads> {
  const objects = { ...(await openDiskStore(join(root, 'objects'))), ...change };
  const disk = await openUploadStore(dataDir(name));
  return createObjectUploads({ db: createDatabase(pool), objects, disk, clock });
}

const receive = (content: string) =>
  first.receive(Readable.from([archiveOf([{ path: 'a', content }])]), { limits: LIMITS, signal });

async function upload(appId: string, content: string): Promise<string> {
  const archive = await receive(content);
  await archive.keep(appId);
  await archive.discard();
  return archive.digest;
}

async function download(appId: string, digest: string): Promise<Buffer | undefined> {
  const path = join(incomingFolder(dataDir('second')), randomUUID());
  return (await second.download({ appId, digest }, path, signal))
    ? await readFile(path)
    : undefined;
}

async function objectFiles(): Promise<string[]> {
  const entries = await readdir(join(root, 'objects'), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

it('gives another server the archive of an app, and nobody else', async () => {
  const [ada, eve] = [randomUUID(), randomUUID()];
  const digest = await upload(ada, 'hello');
  const bytes = await download(ada, digest);
  expect(bytes?.length).toBeGreaterThan(0);
  expect(await second.usedBytes([ada, eve])).toBe(bytes?.length);
  expect(await download(eve, digest)).toBeUndefined();
  expect(await readdir(incomingFolder(dataDir('first')))).toEqual([]);
});

it('leaves nothing of an archive that is discarded or refused', async () => {
  await (await receive('unused')).discard();
  const broken = Readable.from([Buffer.from('no archive')]);
  await expect(first.receive(broken, { limits: LIMITS, signal })).rejects.toThrow('.tar.gz');
  expect(await objectFiles()).toEqual([]);
  expect(await readdir(incomingFolder(dataDir('first')))).toEqual([]);
});

it('stores the same archive of an app once', async () => {
  const app = randomUUID();
  const digest = await upload(app, 'same');
  expect(await upload(app, 'same')).toBe(digest);
  expect(await objectFiles()).toHaveLength(1);
  expect(await download(app, digest)).toBeDefined();
});

it('removes archives that are not needed, and all of a deleted app', async () => {
  const [app, other] = [randomUUID(), randomUUID()];
  const [old, kept] = [await upload(app, 'old'), await upload(app, 'kept')];
  await upload(other, 'other');
  await second.prune(app, [kept]);
  expect(await download(app, old)).toBeUndefined();
  expect(await download(app, kept)).toBeDefined();
  await second.remove(app);
  expect(await download(app, kept)).toBeUndefined();
  expect(await objectFiles()).toHaveLength(1);
  expect(await second.usedBytes([app])).toBe(0);
});

it.each<[string, (path: string) => Promise<void>]>([
  ['changed', async (path) => writeFile(path, (await readFile(path)).reverse())],
  ['cut off', (path) => truncate(path, 10)],
  ['too large', (path) => writeFile(path, Buffer.alloc(100_000))],
])('refuses an archive that was %s in the object store', async (_, change) => {
  const app = randomUUID();
  const digest = await upload(app, 'hello');
  const [path = ''] = await objectFiles();
  await change(path);
  await expect(download(app, digest)).rejects.toThrow('damaged');
});

it('removes objects of unfinished uploads after a day', async () => {
  const app = randomUUID();
  await upload(app, 'kept');
  await receive('of a server that was killed');
  await first.removeOrphans(new AbortController().signal);
  expect(await objectFiles()).toHaveLength(2);
  clock.ahead = 2 * DAY_MS;
  await first.removeOrphans(new AbortController().signal);
  expect(await objectFiles()).toHaveLength(1);
});

it('counts and removes archives of the time when they were in the data directory', async () => {
  const app = randomUUID();
  const path = archivePath(dataDir('first'), app, 'a'.repeat(64));
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, 'archive');
  expect(await first.usedBytes([app])).toBe(7);
  await first.remove(app);
  expect(await first.usedBytes([app])).toBe(0);
});

it('keeps what it cannot remove while the object store is down, and removes it later', async () => {
  const app = randomUUID();
  await upload(app, 'old');
  const kept = await upload(app, 'kept');
  const remove = () => Promise.reject(new FileStoreDown('down'));
  const cutOff = await openServer('cut off', { remove });
  await cutOff.prune(app, [kept]);
  await expect(cutOff.remove(app)).rejects.toThrow('down');
  expect(await objectFiles()).toHaveLength(2);
  await second.prune(app, [kept]);
  expect(await objectFiles()).toHaveLength(1);
  await second.remove(app);
  expect(await objectFiles()).toEqual([]);
});
