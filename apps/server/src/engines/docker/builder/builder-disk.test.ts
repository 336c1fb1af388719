import {
  mkdir,
  mkdtemp,
  open as openFile,
  readdir,
  readFile,
  rm,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { canMount } from '../../../../test/small-disk.ts';
import { SUPERBLOCK } from '../../../sandbox/disk/ext4.ts';
import { createBuilderDisks } from './builder-disk.ts';

const NOW = Date.UTC(2030, 0, 1);
const KIB = 1024;
const DISK_BYTES = 128 * KIB ** 2;
/** Of the UUID of the file system. */
const ID_OFFSET = SUPERBLOCK.offset + 0x68;

async function disksWith(files: Record<string, number>, sizeBytes = 1) {
  const dataDir = await mkdtemp(join(tmpdir(), 'longshore-builders-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const folder = join(dataDir, 'builders');
  await mkdir(folder);
  for (const [file, unusedMs] of Object.entries(files)) {
    await writeFile(join(folder, file), Buffer.alloc(64 * KIB, 1));
    const usedAt = (NOW - unusedMs) / 1000;
    await utimes(join(folder, file), usedAt, usedAt);
  }
  const disks = createBuilderDisks({ dataDir, sizeBytes, clock: { now: () => NOW } });
  return { disks, folder, left: async () => (await readdir(folder)).sort() };
}

it('counts the disks of one owner', async () => {
  const { disks } = await disksWith({ 'ada-b-0.img': 0, 'ada-b-1.img': 0, 'eve-0.img': 0 });
  expect(await disks.usedBytes('ada-b')).toBe(128 * KIB);
  expect(await disks.usedBytes('ada')).toBe(0);
});

/** A disk that was opened before. Its id changes when it is made again. */
async function usedDisk() {
  const { disks, folder } = await disksWith({}, DISK_BYTES);
  const open = (signal = new AbortController().signal) =>
    disks.open({ ownerId: 'ada', number: 0 }, signal);
  await (await open()).release();
  const image = join(folder, 'ada-0.img');
  const id = async () => (await readFile(image)).toString('hex', ID_OFFSET, ID_OFFSET + 16);
  return { open, image, id };
}

it.skipIf(!canMount)('makes a damaged disk again', async () => {
  const { open, image, id } = await usedDisk();
  const before = await id();
  const file = await openFile(image, 'r+');
  await file.write(Buffer.from('none'), 0, 4, SUPERBLOCK.offset + SUPERBLOCK.bytes - 4);
  await file.close();
  await (await open()).release();
  expect(await id()).not.toBe(before);
});

it.skipIf(!canMount)('keeps a disk when an opening is aborted', async () => {
  const { open, id } = await usedDisk();
  const before = await id();
  for (let afterMs = 0; afterMs < 20; afterMs += 2) {
    await open(AbortSignal.timeout(afterMs)).then(
      (disk) => disk.release(),
      () => {},
    );
  }
  await (await open()).release();
  expect(await id()).toBe(before);
});

it('removes the disks that are not needed, with what an interrupted start left', async () => {
  const { disks, left } = await disksWith({
    'ada-0.img': 5_000,
    'ada-1.img': 0,
    'eve-0.img': 9_000,
    'eve-7.img.draft': 9_000,
    other: 9_000,
  });
  const seen: unknown[] = [];
  await disks.removeWhere((disk) => {
    seen.push(disk);
    return disk.slot.ownerId === 'eve' || disk.unusedMs > 4_000;
  });
  expect(seen).toContainEqual({ slot: { ownerId: 'ada', number: 0 }, unusedMs: 5_000 });
  expect(await left()).toEqual(['ada-1.img', 'other']);
});
