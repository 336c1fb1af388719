import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  createDockerApi,
  type DockerApi,
  isDockerAvailable,
} from '../../../src/engines/docker/docker-api.ts';
import { acquireMachineLock } from '../../machine-lock.ts';
import { hasBuildKit } from './buildkit-programs.ts';

/** A separate, empty Docker Engine for tests. */
export type DockerDaemon = {
  socketPath: string;
  api: DockerApi;
  /** Kills it, as in a crash. */
  kill(): Promise<void>;
  /** Starts it again on the same data. */
  startAgain(): Promise<void>;
  stop(): Promise<void>;
};

/** `prepareData` prepares the data folder of the Engine. */
export type DaemonOptions = { prepareData?: (folder: string) => Promise<void> };

const READY_MS = 60_000;

const PROGRAMS = [
  'dockerd',
  'runc',
  'docker-registry',
  'busybox',
  'newuidmap',
  'setcap',
  'openssl',
];
const FOLDERS = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];

/** What prevents Docker tests: all but root and Go is installed by `npm test`. */
export const missingForDocker = [
  ...(process.getuid?.() === 0 ? [] : ['root']),
  ...PROGRAMS.filter((it) => !FOLDERS.some((folder) => existsSync(join(folder, it)))),
  ...(hasBuildKit ? [] : ['go']),
];

/** Where tests must not be skipped, they fail instead. */
export const canRunDocker = missingForDocker.length === 0;

export async function startDockerDaemon(options: DaemonOptions = {}): Promise<DockerDaemon> {
  // One at a time, because daemons share the firewall.
  const releaseLock = await acquireMachineLock('docker');
  const folder = await mkdtemp(join(tmpdir(), 'longshore-docker-'));
  await options.prepareData?.(join(folder, 'data'));
  const socketPath = join(folder, 'docker.sock');
  const api = createDockerApi(socketPath);
  let child = start();

  function start(): ChildProcess {
    return spawn(
      'dockerd',
      [
        '--storage-driver=overlay2',
        `--data-root=${join(folder, 'data')}`,
        `--exec-root=${join(folder, 'exec')}`,
        `--pidfile=${join(folder, 'pid')}`,
        `--host=unix://${socketPath}`,
      ],
      { stdio: 'ignore' },
    );
  }

  async function waitUntilReady(): Promise<void> {
    const until = performance.now() + READY_MS;
    while (!(await isDockerAvailable(api))) {
      if (performance.now() > until || child.exitCode !== null) throw new Error('No Docker Engine');
      await delay(100);
    }
  }

  async function stopDaemon(signal: NodeJS.Signals): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
  }

  await waitUntilReady();
  return {
    socketPath,
    api,
    kill: () => stopDaemon('SIGKILL'),
    async startAgain() {
      // Without an init that reaps orphans, dockerd would take the zombie containerd of the killed daemon for a running one.
      await rm(join(folder, 'exec/containerd/containerd.pid'), { force: true });
      child = start();
      await waitUntilReady();
    },
    async stop() {
      await clear(api).catch(() => {});
      await stopDaemon('SIGTERM');
      await releaseLock();
      await unmountBelow(folder);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A stopped Engine leaves the bridges of its networks behind, which would block those of the next one. */
async function clear(api: DockerApi): Promise<void> {
  const { signal } = new AbortController();
  const containers = await api.call<{ Id: string }[]>('GET', '/containers/json?all=1', { signal });
  for (const { Id } of containers) {
    await api.call('DELETE', `/containers/${Id}?force=1`, { signal });
  }
  await api.call('POST', '/networks/prune', { signal });
}

/** Removes mounts that a killed Engine left behind. */
async function unmountBelow(folder: string): Promise<void> {
  const mounts = (await readFile('/proc/self/mounts', 'utf8')).split('\n');
  const mountPoints = mounts.map((line) => line.split(' ')[1] ?? '');
  for (const mountPoint of mountPoints.filter((it) => it.startsWith(`${folder}/`)).reverse()) {
    await once(spawn('umount', ['--lazy', '--', mountPoint], { stdio: 'ignore' }), 'exit');
  }
}
