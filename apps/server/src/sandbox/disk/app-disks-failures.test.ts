import { execFileSync } from 'node:child_process';
import { mkdir, open, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createDiskEnvironment,
  type DiskEnvironment,
  killed,
  NOTHING_HELD,
} from '../../../test/sandbox/disk-environment.ts';
import { canMount, mountSmallDisk } from '../../../test/small-disk.ts';
import { hasErrors, readSuperblock } from './disk-image.ts';
import { SUPERBLOCK } from './ext4.ts';
import { findLoopDevice } from './loop-devices.ts';

const MIB = 1024 ** 2;
/** A file system of more than 128 MiB has copies of its superblock. */
const BYTES_WITH_BACKUP = 256 * MIB;
const signal = new AbortController().signal;

describe.skipIf(!canMount)('disks of apps after failures (only root can mount)', () => {
  let environment: DiskEnvironment;

  beforeEach(async () => {
    environment = await createDiskEnvironment();
  });

  afterEach(() => environment.dispose());

  it('unmounts what a killed server left, and leaves sandboxes alone', async () => {
    const { createDisks, disks, held, imageOf, startSandbox } = environment;
    const { folder } = await disks.open('a', signal);
    await disks.open('b', signal);
    const sandbox = await startSandbox(folder, 'echo content > /disk/file');
    await createDisks().sweep(signal);
    await expect.poll(held).toEqual({ mounts: [], devices: [imageOf('a')] });
    const disk = await createDisks().open('a', signal);
    expect(await readFile(join(disk.folder, 'file'), 'utf8')).toBe('content\n');
    await disk.close();
    await killed(sandbox);
    await expect.poll(held).toEqual(NOTHING_HELD);
  });

  it('opens a disk that a killed server left mounted', async () => {
    const { createDisks, disks, held } = environment;
    const left = await disks.open('a', signal);
    await writeFile(join(left.folder, 'file'), 'content');
    const disk = await createDisks().open('a', signal);
    expect(await readFile(join(disk.folder, 'file'), 'utf8')).toBe('content');
    expect((await held()).mounts).toEqual([disk.folder]);
    await disk.close();
    await expect.poll(held).toEqual(NOTHING_HELD);
  });

  it('frees loop devices on its own images that nobody uses, and no others', async () => {
    const { createDisks, dataDir, disks, held, imageOf } = environment;
    await (await disks.open('a', signal)).close();
    const foreign = join(dataDir, 'foreign.img');
    await writeFile(foreign, Buffer.alloc(MIB));
    for (const image of [imageOf('a'), foreign]) execFileSync('losetup', ['--find', image]);
    try {
      await createDisks().sweep(signal);
      await expect.poll(async () => (await held()).devices).toEqual([foreign]);
    } finally {
      execFileSync('losetup', ['--detach', (await findLoopDevice(foreign))?.path ?? '']);
    }
  });

  it('removes mount points that a reboot left, but no files', async () => {
    const { createDisks, dataDir } = environment;
    await mkdir(join(dataDir, 'mounts', 'a'), { recursive: true });
    await mkdir(join(dataDir, 'mounts', 'b'));
    await writeFile(join(dataDir, 'mounts', 'b', 'file'), 'content');
    await createDisks().sweep(signal);
    expect(await readdir(join(dataDir, 'mounts'))).toEqual(['b']);
  });

  it('makes the disk again when an earlier attempt ended halfway', async () => {
    const { disks, imageOf } = environment;
    await mkdir(dirname(imageOf('a')), { recursive: true });
    await writeFile(`${imageOf('a')}.draft`, 'half');
    await (await disks.open('a', signal)).close();
    expect(await readdir(dirname(imageOf('a')))).toEqual(['disk.img']);
  });

  it('leaves nothing when an opening is aborted at any time', async () => {
    const { disks, held } = environment;
    for (let afterMs = 0; afterMs < 40; afterMs += 2) {
      const opened = disks.open('a', AbortSignal.timeout(afterMs)).then(
        (disk) => disk.close(),
        (error: Error) => expect(error.name).toBe('TimeoutError'),
      );
      await opened;
      await expect.poll(held).toEqual(NOTHING_HELD);
      await disks.remove('a', signal);
    }
  });

  it('removes copies of the mount that another mount namespace got', async () => {
    const { disks, held, start } = environment;
    const disk = await disks.open('a', signal);
    const namespace = ['--mount', '--propagation', 'private'];
    await start('unshare', ...namespace, 'sh', '-c', 'echo ready; exec sleep 600');
    await disk.close();
    await expect.poll(held).toEqual(NOTHING_HELD);
    await disks.remove('a', signal);
  });

  it('leaves mount namespaces that receive the mounts of the machine', async () => {
    const { dataDir, disks, held, start } = environment;
    execFileSync('mount', ['--bind', dataDir, dataDir]);
    try {
      execFileSync('mount', ['--make-shared', dataDir]);
      const namespace = ['--mount', '--propagation', 'slave'];
      const receiver = await start('unshare', ...namespace, 'sh', '-c', 'echo; exec sleep 600');
      const received = () => readFile(`/proc/${receiver.pid}/mountinfo`, 'utf8');
      const disk = await disks.open('a', signal);
      expect(await received()).toContain(disk.folder);
      await disk.close();
      expect(await received()).not.toContain(disk.folder);
      await expect.poll(held).toEqual(NOTHING_HELD);
    } finally {
      execFileSync('umount', ['--lazy', dataDir]);
    }
  });

  it('gives the space back when a program outside still has the file system', async () => {
    const { dataDir, disks, imageOf, start } = environment;
    const disk = await disks.open('a', signal);
    await writeFile(join(disk.folder, 'file'), Buffer.alloc(40 * MIB, 1), { flush: true });
    const holder = await start(
      'sh',
      '-c',
      `exec 3< ${disk.folder}/file; echo ready; exec sleep 600`,
    );
    const image = await open(imageOf('a'), 'r');
    await disk.close();
    await disks.remove('a', signal);
    expect((await image.stat()).blocks * 512).toBeLessThan(8 * MIB);
    await image.close();
    expect(await readdir(join(dataDir, 'apps', 'a'))).toEqual([]);
    await killed(holder);
  });

  it('reports a damaged file system without a hang', async () => {
    const { disks, held, imageOf } = environment;
    await (await disks.open('a', signal)).close();
    await overwrite(imageOf('a'), Buffer.alloc(64 * 1024, 0x5a), 0);
    await expect(disks.open('a', signal)).rejects.toMatchObject({
      reason: 'engine-failed',
      evidence: ['The disk of the app could not be mounted.'],
    });
    await expect.poll(held).toEqual(NOTHING_HELD);
  });

  /** A disk with a file, on which the kernel has found an error while a sandbox uses it. */
  async function damageUsedDisk() {
    const { disks, imageOf, startSandbox } = environment;
    const disk = await disks.open('a', signal);
    await writeFile(join(disk.folder, 'file'), 'content', { flush: true });
    const sandbox = await startSandbox(disk.folder, 'true');
    const device = basename((await findLoopDevice(imageOf('a')))?.path ?? '');
    await writeFile(`/sys/fs/ext4/${device}/trigger_fs_error`, 'simulated');
    await expect.poll(() => readSuperblock(imageOf('a'))).toMatchObject({ hasErrors: true });
    await disk.close();
    return sandbox;
  }

  it('repairs a file system with errors after it has ended its users', async () => {
    const { createDisks } = environment;
    const sandbox = await damageUsedDisk();
    const ended: string[] = [];
    const endUsers = async (appId: string) => {
      ended.push(appId);
      await killed(sandbox);
    };
    const repaired = await createDisks({ endUsers }).open('a', signal);
    await writeFile(join(repaired.folder, 'file'), 'new content');
    await repaired.close();
    expect(ended).toEqual(['a']);
  });

  it('repairs a file system with errors when nobody uses it any more', async () => {
    const { disks, held, imageOf } = environment;
    const sandbox = await damageUsedDisk();
    await expect(disks.open('a', signal)).rejects.toMatchObject({
      evidence: [expect.stringContaining('Hibernate the app and wake it')],
    });
    expect(await disks.usage('a', signal)).toBeDefined();
    await killed(sandbox);
    await expect.poll(held).toEqual(NOTHING_HELD);
    const repaired = await disks.open('a', signal);
    expect(await readFile(join(repaired.folder, 'file'), 'utf8')).toBe('content');
    await writeFile(join(repaired.folder, 'file'), 'new content');
    await repaired.close();
    expect(await readSuperblock(imageOf('a'))).toMatchObject({ hasErrors: false });
  });

  it('repairs a file system with errors that only the kernel knows', async () => {
    const { createDisks, imageOf } = environment;
    const disk = await createDisks().open('a', signal);
    const superblock = await superblockOf(imageOf('a'));
    await disk.close();
    const sandbox = await damageUsedDisk();
    await overwrite(imageOf('a'), superblock, SUPERBLOCK.offset);
    expect(readSuperblock(imageOf('a'))).toMatchObject({ hasErrors: false });
    const endUsers = () => killed(sandbox);
    const repaired = await createDisks({ endUsers }).open('a', signal);
    await writeFile(join(repaired.folder, 'file'), 'new content', { flush: true });
    expect(hasErrors(imageOf('a'))).toBe(false);
    await repaired.close();
  });

  it('repairs a damaged superblock, which has no error flag', async () => {
    const { createDisks, imageOf } = environment;
    const disks = createDisks({ sizeBytes: BYTES_WITH_BACKUP });
    const disk = await disks.open('a', signal);
    await writeFile(join(disk.folder, 'file'), 'content', { flush: true });
    await disk.close();
    await damageChecksum(imageOf('a'));
    expect(readSuperblock(imageOf('a'))).toMatchObject({ hasErrors: false });
    const repaired = await disks.open('a', signal);
    expect(await readFile(join(repaired.folder, 'file'), 'utf8')).toBe('content');
    await writeFile(join(repaired.folder, 'file'), 'new content', { flush: true });
    await repaired.close();
  });

  it('repairs damage that cannot be repaired without a loss', async () => {
    const { disks, held, imageOf } = environment;
    const disk = await disks.open('a', signal);
    await mkdir(join(disk.folder, 'lost/inside'), { recursive: true });
    await writeFile(join(disk.folder, 'file'), 'content', { flush: true });
    await disk.close();
    await expect.poll(held).toEqual(NOTHING_HELD);
    for (const change of ['clri lost', 'set_super_value state 2'])
      execFileSync('debugfs', ['-w', '-R', change, imageOf('a')], { stdio: 'ignore' });
    const repaired = await disks.open('a', signal);
    expect(await readFile(join(repaired.folder, 'file'), 'utf8')).toBe('content');
    expect(await readdir(repaired.folder)).not.toContain('lost');
    expect(await readdir(join(repaired.folder, 'lost+found'))).toHaveLength(1);
    await repaired.close();
    expect(readSuperblock(imageOf('a'))).toMatchObject({ hasErrors: false });
  });

  it('repairs no file system, and ends no program, while the machine is full', async () => {
    const { createDisks, imageOf } = environment;
    await damageUsedDisk();
    const ended: string[] = [];
    const endUsers = async (appId: string) => void ended.push(appId);
    const disks = createDisks({ machineReserveBytes: 2 ** 60, endUsers });
    await expect(disks.open('a', signal)).rejects.toMatchObject({ reason: 'disk-full' });
    expect(ended).toEqual([]);
    expect(readSuperblock(imageOf('a'))).toMatchObject({ hasErrors: true });
  });

  it('leaves a damaged superblock alone while the machine is full', async () => {
    const { createDisks, disks, imageOf } = environment;
    await (await disks.open('a', signal)).close();
    await damageChecksum(imageOf('a'));
    const damaged = await superblockOf(imageOf('a'));
    const onFullMachine = createDisks({ machineReserveBytes: 2 ** 60 });
    await expect(onFullMachine.open('a', signal)).rejects.toMatchObject({ reason: 'disk-full' });
    expect(await superblockOf(imageOf('a'))).toEqual(damaged);
  });

  it('makes no disk when the machine has too little space', async () => {
    const { createDisks, imageOf } = environment;
    const disks = createDisks({ machineReserveBytes: 2 ** 60 });
    await expect(disks.open('a', signal)).rejects.toMatchObject({ reason: 'disk-full' });
    await expect(stat(imageOf('a'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('works again after the machine was full', async () => {
    const { createDisks, dataDir, held } = environment;
    const machine = await mountSmallDisk(join(dataDir, 'apps'), 100);
    try {
      const disks = createDisks({ machineReserveBytes: MIB });
      const disk = await disks.open('a', signal);
      await writeFile(join(disk.folder, 'early'), 'content', { flush: true });
      await machine.fill();
      await expect(fillUntilError(disk.folder)).rejects.toThrow();
      await disk.close();
      await machine.makeRoom();
      await expect.poll(async () => (await held()).devices).toEqual([]);
      const repaired = await disks.open('a', signal);
      expect(await readFile(join(repaired.folder, 'early'), 'utf8')).toBe('content');
      await writeFile(join(repaired.folder, 'late'), 'content', { flush: true });
      await repaired.close();
    } finally {
      await machine.unmount();
    }
  });
});

/** As a repair does that finds no space to write. */
async function damageChecksum(image: string): Promise<void> {
  await overwrite(image, Buffer.from('none'), SUPERBLOCK.offset + SUPERBLOCK.bytes - 4);
}

async function superblockOf(image: string): Promise<Buffer> {
  const file = await open(image, 'r');
  const superblock = Buffer.alloc(SUPERBLOCK.bytes);
  await file.read({ buffer: superblock, position: SUPERBLOCK.offset });
  await file.close();
  return superblock;
}

async function overwrite(image: string, bytes: Buffer, offset: number): Promise<void> {
  const file = await open(image, 'r+');
  await file.write(bytes, 0, bytes.length, offset);
  await file.close();
}

/** Ends with an error, because the disk has space for at most half of it. */
async function fillUntilError(folder: string): Promise<void> {
  for (let file = 0; file < 200; file += 1) {
    await writeFile(join(folder, `file-${file}`), Buffer.alloc(MIB, 1), { flush: true });
    await mkdir(join(folder, `folder-${file}`));
  }
}
