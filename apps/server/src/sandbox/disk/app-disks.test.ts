import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { canMount } from '../../../test/small-disk.ts';
import { type AppDisks, createAppDisks } from './app-disks.ts';
import { listLoopDevices } from './loop-devices.ts';
import { listMountPoints } from './mount-table.ts';

const MIB = 1024 ** 2;
const signal = new AbortController().signal;

let dataDir: string;
let disks: AppDisks;
const started: ChildProcess[] = [];

beforeEach(async () => {
  dataDir = await realpath(await mkdtemp(join(tmpdir(), 'app-disks-')));
  disks = openDisks();
});

afterEach(async () => {
  for (const child of started.splice(0)) await kill(child);
  await openDisks().sweep(signal);
  await rm(dataDir, { recursive: true, force: true });
});

function openDisks(sizeBytes = 128 * MIB): AppDisks {
  return createAppDisks({
    appsFolder: join(dataDir, 'apps'),
    mountsFolder: join(dataDir, 'mounts'),
    sizeBytes,
  });
}

/** Everything that the kernel holds for this test's disks. */
async function held(): Promise<{ mounts: string[]; devices: string[] }> {
  const isOurs = (path: string) => path.startsWith(dataDir);
  return {
    mounts: (await listMountPoints()).filter(isOurs),
    devices: (await listLoopDevices()).map(({ image }) => image).filter(isOurs),
  };
}

const NOTHING = { mounts: [], devices: [] };

/** A sandbox that has the folder at /disk, runs until it is killed, and prints a line when it is ready. */
async function startSandbox(
  folder: string,
  script = 'echo ready; exec sleep 600',
): Promise<ChildProcess> {
  const system = ['/usr', '/bin', '/lib', '/lib64'].flatMap((path) => [
    '--ro-bind-try',
    path,
    path,
  ]);
  const argv = [...system, '--bind', folder, '/disk', '--unshare-pid', '--die-with-parent'];
  return await startProgram('bwrap', ...argv, 'sh', '-c', script);
}

async function startProgram(program: string, ...args: string[]): Promise<ChildProcess> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  started.push(child);
  await once(child.stdout, 'data');
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

describe.skipIf(!canMount)('disks of apps (only root can mount)', () => {
  it('keeps files from one opening to the next, and is mounted only meanwhile', async () => {
    const first = await disks.open('a', signal);
    await writeFile(join(first.folder, 'file'), 'content');
    expect(await held()).toEqual({
      mounts: [first.folder],
      devices: [join(dataDir, 'apps', 'a', 'disk.img')],
    });
    await first.close();
    expect(await held()).toEqual(NOTHING);
    const second = await disks.open('a', signal);
    expect(await readFile(join(second.folder, 'file'), 'utf8')).toBe('content');
    await second.close();
  });

  it('shares one mount among openers, until the last one closes', async () => {
    const [first, second] = await Promise.all([disks.open('a', signal), disks.open('a', signal)]);
    expect((await held()).mounts).toEqual([first.folder]);
    await first.close();
    await first.close();
    await writeFile(join(second.folder, 'file'), 'content');
    await second.close();
    expect(await held()).toEqual(NOTHING);
  });

  it('stays alive in a sandbox, on the same loop device, and is gone when the sandbox is killed', async () => {
    const disk = await disks.open('a', signal);
    const sandbox = await startSandbox(
      disk.folder,
      'echo first > /disk/file; echo ready; exec sleep 600',
    );
    await disk.close();
    expect((await held()).mounts).toEqual([]);
    for (let round = 0; round < 20; round += 1) {
      const again = await disks.open('a', signal);
      expect((await held()).devices).toHaveLength(1);
      expect(await readFile(join(again.folder, 'file'), 'utf8')).toBe('first\n');
      await again.close();
    }
    await kill(sandbox);
    await expect.poll(held).toEqual(NOTHING);
  });

  it('never gives an image a second loop device when the sandbox ends during an opening', async () => {
    for (let round = 0; round < 15; round += 1) {
      const disk = await disks.open('a', signal);
      const sandbox = await startSandbox(
        disk.folder,
        `echo ${round} > /disk/file; echo ready; exec sleep 600`,
      );
      await disk.close();
      const ended = kill(sandbox);
      const again = await disks.open('a', signal);
      expect((await held()).devices).toHaveLength(1);
      expect(await readFile(join(again.folder, 'file'), 'utf8')).toBe(`${round}\n`);
      await again.close();
      await ended;
    }
    await expect.poll(held).toEqual(NOTHING);
  });

  it('gives no space of the machine to an empty disk, and takes freed space back', async () => {
    const image = join(dataDir, 'apps', 'a', 'disk.img');
    const allocated = async () => (await stat(image)).blocks * 512;
    const disk = await disks.open('a', signal);
    expect(await allocated()).toBeLessThan(8 * MIB);
    await writeFile(join(disk.folder, 'file'), Buffer.alloc(40 * MIB, 1), { flush: true });
    expect(await allocated()).toBeGreaterThan(40 * MIB);
    await rm(join(disk.folder, 'file'));
    await disk.close();
    await expect.poll(allocated).toBeLessThan(20 * MIB);
  });

  it('fails with ENOSPC at the limit', async () => {
    const disk = await disks.open('a', signal);
    const written = writeFile(join(disk.folder, 'file'), Buffer.alloc(129 * MIB));
    await expect(written).rejects.toMatchObject({ code: 'ENOSPC' });
    await disk.close();
  });

  it('reports the same usage with and without a mount', async () => {
    expect(await disks.usage('a', signal)).toBeUndefined();
    const disk = await disks.open('a', signal);
    await writeFile(join(disk.folder, 'file'), Buffer.alloc(30 * MIB, 1), { flush: true });
    const usage = await disks.usage('a', signal);
    expect(usage?.usedBytes).toBeGreaterThanOrEqual(30 * MIB);
    expect(usage?.usedBytes).toBeLessThan(31 * MIB);
    await disk.close();
    expect(await disks.usage('a', signal)).toEqual(usage);
  });

  it('removes a disk that an unrelated mount namespace still has', async () => {
    const disk = await disks.open('a', signal);
    await startProgram('unshare', '--mount', 'sh', '-c', 'echo ready; exec sleep 600');
    await disk.close();
    await disks.remove('a', signal);
    await expect.poll(held).toEqual(NOTHING);
  });

  it('unmounts what a killed server left', async () => {
    await disks.open('a', signal);
    await disks.open('b', signal);
    await openDisks().sweep(signal);
    expect(await held()).toEqual(NOTHING);
  });
});
