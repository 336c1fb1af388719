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
import { onlyEngine } from './one-engine.ts';

/** For tests: a Docker Engine of their own, with nothing in it. */
export type DockerDaemon = {
  socketPath: string;
  api: DockerApi;
  /** Ends it as a crash would. */
  kill(): Promise<void>;
  /** Starts it again on the same data. */
  startAgain(): Promise<void>;
  stop(): Promise<void>;
};

/** `prepareData`: makes the folder that everything of the Engine is kept in. */
export type DaemonOptions = { prepareData?: (folder: string) => Promise<void> };

const READY_MS = 60_000;

const PROGRAMS = ['dockerd', 'docker-registry', 'busybox'];
const FOLDERS = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];

/** An Engine of one's own takes root, and what `npm test` installs. Where nothing may skip, a skipped test is a failure. */
export const canRunDocker =
  process.getuid?.() === 0 &&
  PROGRAMS.every((program) => FOLDERS.some((folder) => existsSync(join(folder, program))));

export async function startDockerDaemon(options: DaemonOptions = {}): Promise<DockerDaemon> {
  const leave = await onlyEngine();
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

  async function ready(): Promise<void> {
    const until = performance.now() + READY_MS;
    while (!(await isDockerAvailable(api))) {
      if (performance.now() > until || child.exitCode !== null) throw new Error('No Docker Engine');
      await delay(100);
    }
  }

  async function end(how: NodeJS.Signals): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill(how);
    await exit;
  }

  await ready();
  return {
    socketPath,
    api,
    kill: () => end('SIGKILL'),
    async startAgain() {
      // Where nobody buries orphans, the dead helper of the one before would be taken for a living one.
      await rm(join(folder, 'exec/containerd/containerd.pid'), { force: true });
      child = start();
      await ready();
    },
    async stop() {
      await clear(api).catch(() => {});
      await end('SIGTERM');
      await leave();
      await unmountBelow(folder);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** An Engine that ends leaves the bridges of its networks to the machine, where they stand in the way of the next one's. */
async function clear(api: DockerApi): Promise<void> {
  const { signal } = new AbortController();
  const containers = await api.call<{ Id: string }[]>('GET', '/containers/json?all=1', { signal });
  for (const { Id } of containers) {
    await api.call('DELETE', `/containers/${Id}?force=1`, { signal });
  }
  await api.call('POST', '/networks/prune', { signal });
}

/** What an Engine that was killed once leaves mounted. */
async function unmountBelow(folder: string): Promise<void> {
  const mounts = (await readFile('/proc/self/mounts', 'utf8')).split('\n');
  const places = mounts.map((line) => line.split(' ')[1] ?? '');
  for (const place of places.filter((it) => it.startsWith(`${folder}/`)).reverse()) {
    await once(spawn('umount', ['--lazy', '--', place], { stdio: 'ignore' }), 'exit');
  }
}
