import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type AppDisks,
  type AppDisksOptions,
  createAppDisks,
} from '../../src/sandbox/disk/app-disks.ts';
import { listLoopDevices } from '../../src/sandbox/disk/loop-devices.ts';
import { listMountPoints } from '../../src/sandbox/disk/mount-table.ts';

export type DiskEnvironment = {
  dataDir: string;
  disks: AppDisks;
  /** As a server does that starts on the same data directory. */
  createDisks(options?: Partial<AppDisksOptions>): AppDisks;
  imageOf(appId: string): string;
  /** What the kernel has of this environment. A program that lists loop devices delays the end of one. */
  held(): Promise<{ mounts: string[]; devices: string[] }>;
  /** Starts a program that prints a line when it is ready, and runs until it is killed. */
  start(program: string, ...args: string[]): Promise<ChildProcess>;
  /** Starts a script in a sandbox that has the folder at /disk. It prints a line and runs on. */
  startSandbox(folder: string, script: string): Promise<ChildProcess>;
  dispose(): Promise<void>;
};

export const NOTHING_HELD = { mounts: [], devices: [] };

const SYSTEM = ['/usr', '/bin', '/lib', '/lib64'];
const DISK_BYTES = 128 * 1024 ** 2;

export async function createDiskEnvironment(): Promise<DiskEnvironment> {
  const dataDir = await realpath(await mkdtemp(join(tmpdir(), 'app-disks-')));
  const started: ChildProcess[] = [];

  function createDisks(options: Partial<AppDisksOptions> = {}): AppDisks {
    const appsFolder = join(dataDir, 'apps');
    const mountsFolder = join(dataDir, 'mounts');
    return createAppDisks({ appsFolder, mountsFolder, sizeBytes: DISK_BYTES, ...options });
  }

  async function start(program: string, ...args: string[]): Promise<ChildProcess> {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    started.push(child);
    await once(child.stdout, 'data');
    return child;
  }

  return {
    dataDir,
    disks: createDisks(),
    createDisks,
    imageOf: (appId) => join(dataDir, 'apps', appId, 'disk.img'),
    async held() {
      const isOurs = (path: string) => path.startsWith(`${dataDir}/`);
      const devices = (await listLoopDevices()).map(({ image }) => image);
      return {
        mounts: (await listMountPoints()).filter(isOurs),
        devices: devices.filter(isOurs),
      };
    },
    start,
    startSandbox(folder, script) {
      const system = SYSTEM.flatMap((path) => ['--ro-bind-try', path, path]);
      const isolation = [
        ...system,
        '--bind',
        folder,
        '/disk',
        '--unshare-pid',
        '--die-with-parent',
      ];
      return start('bwrap', ...isolation, 'sh', '-c', `${script}; echo ready; exec sleep 600`);
    },
    async dispose() {
      await Promise.all(started.map(killed));
      await createDisks().sweep(new AbortController().signal);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}
