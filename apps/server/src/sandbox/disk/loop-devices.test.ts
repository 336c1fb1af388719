import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { canMount } from '../../../test/small-disk.ts';
import { attachLoopDevice, findLoopDevice, releaseLoopDevice } from './loop-devices.ts';

const { signal } = new AbortController();

async function image(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'longshore-loop-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'image');
  await writeFile(path, Buffer.alloc(1024 ** 2));
  return path;
}

it.skipIf(!canMount)('releases a device, and no device that has another image by now', async () => {
  const [former, current] = [await image(), await image()];
  const device = await attachLoopDevice(current, signal);
  await releaseLoopDevice({ ...device, image: former }, signal);
  expect((await findLoopDevice(current))?.path).toBe(device.path);
  await releaseLoopDevice(device, signal);
  await expect.poll(() => findLoopDevice(current)).toBeUndefined();
  await releaseLoopDevice(device, signal);
});
