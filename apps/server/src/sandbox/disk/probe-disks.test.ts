import { mkdir, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { canMount } from '../../../test/small-disk.ts';
import { createImage } from './disk-image.ts';
import { mountImage } from './mount-image.ts';
import { probeDisks } from './probe-disks.ts';

const signal = new AbortController().signal;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'probe-disks-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

it.skipIf(!canMount)('finds that root can make disks, and leaves nothing behind', async () => {
  expect(await probeDisks(folder, signal)).toBeUndefined();
  expect(await readdir(folder)).toEqual([]);
});

it.skipIf(!canMount)('repeats a probe that a killed server left halfway', async () => {
  const probe = join(await realpath(folder), 'disk-probe');
  await mkdir(probe);
  const mount = { image: join(probe, 'disk.img'), folder: join(probe, 'mount') };
  await createImage({ image: mount.image, sizeBytes: 128 * 1024 ** 2 }, signal);
  await mountImage(mount, signal);
  expect(await probeDisks(folder, signal)).toBeUndefined();
  expect(await readdir(folder)).toEqual([]);
});

it('gives the reason where it fails', async () => {
  const reason = await probeDisks(join(folder, 'missing'), signal);
  expect(reason).toMatch(/^Disks of apps do not work here: ENOENT/);
});
