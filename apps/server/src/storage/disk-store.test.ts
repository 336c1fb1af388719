import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { chunksOf, describeFileStore } from '../../test/storage/file-store-contract.ts';
import { openDiskStore } from './disk-store.ts';

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'longshore-files-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

describeFileStore('the disk store', async () => openDiskStore(await temporaryFolder()));

it('removes unfinished files of an earlier server, and keeps the others', async () => {
  const folder = await temporaryFolder();
  const key = await (await openDiskStore(folder)).write(chunksOf('whole'));
  await writeFile(join(folder, 'incoming', 'half'), 'ha');
  await openDiskStore(folder);
  expect(await readdir(join(folder, 'incoming'))).toEqual([]);
  expect(await readFile(join(folder, 'kept', key), 'utf8')).toBe('whole');
});

it('leaves no temporary files, and is closed to other users', async () => {
  const folder = await temporaryFolder();
  const store = await openDiskStore(folder);
  const key = await store.write(chunksOf('mine'));
  await store.write(chunksOf('half', new Error('gone'))).catch(() => {});
  expect(await readdir(join(folder, 'incoming'))).toEqual([]);
  expect((await stat(join(folder, 'kept'))).mode & 0o777).toBe(0o700);
  expect((await stat(join(folder, 'kept', key))).mode & 0o777).toBe(0o600);
});

it('closes a file whose reader cancels', async () => {
  const store = await openDiskStore(await temporaryFolder());
  const key = await store.write(chunksOf('x'.repeat(500_000)));
  const open = async () => (await readdir('/proc/self/fd')).length;
  const before = await open();
  const readers = await Promise.all(Array.from({ length: 20 }, () => store.read(key)));
  expect(await open()).toBeGreaterThanOrEqual(before + 20);
  for (const reader of readers) await reader?.cancel();
  await expect.poll(open).toBeLessThan(before + 20);
});
