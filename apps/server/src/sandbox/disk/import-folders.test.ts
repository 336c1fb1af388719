import { execFileSync } from 'node:child_process';
import {
  chmod,
  chown,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createDiskEnvironment,
  type DiskEnvironment,
  NOTHING_HELD,
} from '../../../test/sandbox/disk-environment.ts';
import { canMount } from '../../../test/small-disk.ts';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;
const UID = 54_321;
const signal = new AbortController().signal;

describe.skipIf(!canMount)('import of folders (only root can mount)', () => {
  let environment: DiskEnvironment;
  let home: string;
  let releases: string;

  beforeEach(async () => {
    environment = await createDiskEnvironment();
    home = join(environment.dataDir, 'apps', 'a', 'home');
    releases = join(environment.dataDir, 'apps', 'a', 'releases');
    for (const folder of [home, releases]) await mkdir(folder, { recursive: true, mode: 0o700 });
    await chown(home, UID, UID);
  });

  afterEach(() => environment.dispose());

  it('keeps owners, modes, links, pipes and holes, and follows no link', async () => {
    const { dataDir, disks } = environment;
    const secret = join(dataDir, 'secret');
    await writeFile(secret, 'secret');
    await writeFile(join(home, 'file'), 'content');
    await chown(join(home, 'file'), UID, UID);
    await chmod(join(home, 'file'), 0o640);
    await link(join(home, 'file'), join(releases, 'hard-link'));
    await symlink(secret, join(home, 'symbolic-link'));
    await symlink('/etc', join(home, 'folder-link'));
    execFileSync('mkfifo', [join(home, 'pipe')]);
    const sparse = await open(join(home, 'sparse'), 'w');
    await sparse.truncate(20 * GIB);
    await sparse.close();

    await disks.importFolders('a', [home, releases], { signal });
    const disk = await disks.open('a', signal);
    const at = (...names: string[]) => join(disk.folder, ...names);
    expect(await stat(at('home'))).toMatchObject({ uid: UID, gid: UID, mode: 0o40700 });
    const file = await stat(at('home', 'file'));
    expect(file).toMatchObject({ uid: UID, mode: 0o100640, nlink: 2 });
    expect((await stat(at('releases', 'hard-link'))).ino).toBe(file.ino);
    expect(await readlink(at('home', 'symbolic-link'))).toBe(secret);
    expect(await readlink(at('home', 'folder-link'))).toBe('/etc');
    expect((await lstat(at('home', 'pipe'))).isFIFO()).toBe(true);
    expect(await stat(at('home', 'sparse'))).toMatchObject({ size: 20 * GIB, blocks: 0 });
    expect((await stat(disk.folder)).mode & 0o777).toBe(0o755);
    await disk.close();
  });

  it('makes the disk large enough', async () => {
    const { disks } = environment;
    await writeFile(join(home, 'file'), Buffer.alloc(150 * MIB, 1));
    await disks.importFolders('a', [home, releases], { signal });
    const usage = await disks.usage('a', signal);
    expect(usage?.usedBytes).toBeGreaterThan(150 * MIB);
    expect(usage?.totalBytes).toBeGreaterThan(0.9 * GIB);
  });

  it('changes nothing when the app has a disk', async () => {
    const { disks } = environment;
    await (await disks.open('a', signal)).close();
    await writeFile(join(home, 'file'), 'content');
    await disks.importFolders('a', [home], { signal });
    const disk = await disks.open('a', signal);
    expect(await readdir(disk.folder)).toEqual(['lost+found']);
    await disk.close();
  });

  it('leaves no disk when it is aborted, and can be repeated', async () => {
    const { disks, held, imageOf } = environment;
    await writeFile(join(home, 'file'), Buffer.alloc(50 * MIB, 1));
    for (let afterMs = 5; afterMs < 60; afterMs += 10) {
      await disks.importFolders('b', [home], { signal: AbortSignal.timeout(afterMs) }).then(
        () => disks.remove('b', signal),
        (error: Error) => expect(error.name).toBe('TimeoutError'),
      );
      await expect.poll(held).toEqual(NOTHING_HELD);
      // Aborted before it began, it has not made the folder either.
      const left = await readdir(join(imageOf('b'), '..')).catch(() => []);
      expect(left).toEqual([]);
    }
    await disks.importFolders('b', [home], { signal });
    const disk = await disks.open('b', signal);
    expect((await readFile(join(disk.folder, 'home', 'file'))).length).toBe(50 * MIB);
    await disk.close();
  });

  it('copies what is there while a running app removes and creates files', async () => {
    const { disks, start } = environment;
    await writeFile(join(home, 'kept'), 'content');
    const churn = `cd ${home}; echo ready; while :; do for i in 1 2 3 4 5 6 7 8 9; do mkdir d$i; : > d$i/f; done; rm -r d*; done`;
    await start('sh', '-c', churn);
    for (const appId of ['b', 'c', 'd']) {
      await disks.importFolders(appId, [home, releases], { signal });
      const disk = await disks.open(appId, signal);
      expect(await readFile(join(disk.folder, 'home', 'kept'), 'utf8')).toBe('content');
      await disk.close();
    }
  });

  it('reports files that cannot be copied', async () => {
    const { disks, imageOf } = environment;
    const missing = join(home, 'missing');
    await expect(disks.importFolders('a', [missing], { signal })).rejects.toMatchObject({
      reason: 'engine-failed',
      evidence: ['The files of the app could not be copied to its disk.'],
    });
    await expect(stat(imageOf('a'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('refuses files for which the machine has no space', async () => {
    const disks = environment.createDisks({ machineReserveBytes: 2 ** 60 });
    await expect(disks.importFolders('a', [home], { signal })).rejects.toMatchObject({
      reason: 'disk-full',
    });
  });
});
