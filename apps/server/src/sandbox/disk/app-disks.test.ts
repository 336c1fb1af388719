import { execFileSync } from 'node:child_process';
import { readFile, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createDiskEnvironment,
  type DiskEnvironment,
  killed,
  NOTHING_HELD,
} from '../../../test/sandbox/disk-environment.ts';
import { canMount } from '../../../test/small-disk.ts';
import { DEFAULT_DISK_BYTES } from './app-disks.ts';
import { findLoopDevice } from './loop-devices.ts';

const MIB = 1024 ** 2;
const signal = new AbortController().signal;

describe.skipIf(!canMount)('disks of apps (only root can mount)', () => {
  let environment: DiskEnvironment;

  beforeEach(async () => {
    environment = await createDiskEnvironment();
  });

  afterEach(() => environment.dispose());

  it('keeps files from one opening to the next, and is mounted only meanwhile', async () => {
    const { disks, held, imageOf } = environment;
    const first = await disks.open('a', signal);
    await writeFile(join(first.folder, 'file'), 'content');
    expect(await held()).toEqual({ mounts: [first.folder], devices: [imageOf('a')] });
    await first.close();
    await expect.poll(held).toEqual(NOTHING_HELD);
    const second = await disks.open('a', signal);
    expect(await readFile(join(second.folder, 'file'), 'utf8')).toBe('content');
    await second.close();
  });

  it('shares one mount among openers, until the last one closes', async () => {
    const { disks, held } = environment;
    const [first, second] = await Promise.all([disks.open('a', signal), disks.open('a', signal)]);
    expect((await held()).mounts).toEqual([first.folder]);
    await first.close();
    await first.close();
    await writeFile(join(second.folder, 'file'), 'content');
    await second.close();
    await expect.poll(held).toEqual(NOTHING_HELD);
  });

  it('stays in a sandbox, on one loop device, and is gone when the sandbox is killed', async () => {
    const { disks, held, startSandbox } = environment;
    const disk = await disks.open('a', signal);
    const sandbox = await startSandbox(disk.folder, 'echo content > /disk/file');
    await disk.close();
    expect((await held()).mounts).toEqual([]);
    for (let round = 0; round < 20; round += 1) {
      const again = await disks.open('a', signal);
      expect((await held()).devices).toHaveLength(1);
      expect(await readFile(join(again.folder, 'file'), 'utf8')).toBe('content\n');
      await again.close();
    }
    await killed(sandbox);
    await expect.poll(held).toEqual(NOTHING_HELD);
  });

  it('never gives an image a second loop device when a sandbox ends during an opening', async () => {
    const { disks, held, startSandbox } = environment;
    for (let round = 0; round < 15; round += 1) {
      const disk = await disks.open('a', signal);
      const sandbox = await startSandbox(disk.folder, `echo ${round} > /disk/file`);
      await disk.close();
      const ended = killed(sandbox);
      const again = await disks.open('a', signal);
      expect((await held()).devices).toHaveLength(1);
      expect(await readFile(join(again.folder, 'file'), 'utf8')).toBe(`${round}\n`);
      await again.close();
      await ended;
    }
    await expect.poll(held).toEqual(NOTHING_HELD);
  });

  it('takes no space of the machine while empty, and gives freed space back', async () => {
    const { disks, imageOf } = environment;
    const allocatedBytes = async () => (await stat(imageOf('a'))).blocks * 512;
    const disk = await disks.open('a', signal);
    expect(await allocatedBytes()).toBeLessThan(8 * MIB);
    await writeFile(join(disk.folder, 'file'), Buffer.alloc(40 * MIB, 1), { flush: true });
    expect(await allocatedBytes()).toBeGreaterThan(40 * MIB);
    await rm(join(disk.folder, 'file'));
    await disk.close();
    await expect.poll(allocatedBytes).toBeLessThan(20 * MIB);
  });

  it('has room for the files of several node_modules folders', async () => {
    const disk = await environment.createDisks({ sizeBytes: DEFAULT_DISK_BYTES }).open('a', signal);
    expect((await statfs(disk.folder)).ffree).toBeGreaterThan(1_000_000);
    await disk.close();
  });

  it('fails with ENOSPC at the limit', async () => {
    const disk = await environment.disks.open('a', signal);
    const written = writeFile(join(disk.folder, 'file'), Buffer.alloc(129 * MIB));
    await expect(written).rejects.toMatchObject({ code: 'ENOSPC' });
    await disk.close();
  });

  it('has no setuid programs and devices, and bypasses the page cache of the machine', async () => {
    const { disks, imageOf } = environment;
    const disk = await disks.open('a', signal);
    const options = execFileSync('findmnt', ['-no', 'OPTIONS', disk.folder], { encoding: 'utf8' });
    expect(options.trim().split(',')).toEqual(
      expect.arrayContaining(['rw', 'nosuid', 'nodev', 'noatime', 'discard']),
    );
    await expect
      .poll(() => findLoopDevice(imageOf('a')))
      .toMatchObject({ isAutomatic: true, usesDirectIo: true });
    await disk.close();
  });

  it('reports the same usage whether it is closed, open or only in a sandbox', async () => {
    const { disks, held, startSandbox } = environment;
    expect(await disks.usage('a', signal)).toBeUndefined();
    const disk = await disks.open('a', signal);
    await writeFile(join(disk.folder, 'file'), Buffer.alloc(30 * MIB, 1), { flush: true });
    const usage = await disks.usage('a', signal);
    expect(usage?.usedBytes).toBeGreaterThanOrEqual(30 * MIB);
    expect(usage?.usedBytes).toBeLessThan(31 * MIB);
    const sandbox = await startSandbox(disk.folder, 'true');
    await disk.close();
    expect(await disks.usage('a', signal)).toEqual(usage);
    await killed(sandbox);
    await expect.poll(held).toEqual(NOTHING_HELD);
    expect(await disks.usage('a', signal)).toEqual(usage);
    await expect.poll(held).toEqual(NOTHING_HELD);
  });

  it('removes a disk while it is open, and opens a new one', async () => {
    const { disks, held } = environment;
    const removed = await disks.open('a', signal);
    await writeFile(join(removed.folder, 'file'), 'content');
    await disks.remove('a', signal);
    await expect.poll(held).toEqual(NOTHING_HELD);
    expect(await disks.usage('a', signal)).toBeUndefined();
    const disk = await disks.open('a', signal);
    await removed.close();
    await expect(stat(join(disk.folder, 'file'))).rejects.toMatchObject({ code: 'ENOENT' });
    expect((await held()).mounts).toEqual([disk.folder]);
    await disk.close();
    await disks.remove('b', signal);
  });

  it('refuses names that lead to other folders', async () => {
    const { disks } = environment;
    for (const appId of ['', '..', '../a', 'a/b']) {
      await expect(disks.open(appId, signal)).rejects.toThrow('An app id is made of');
      await expect(disks.remove(appId, signal)).rejects.toThrow('An app id is made of');
    }
  });
});
