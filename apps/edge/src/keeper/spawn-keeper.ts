import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import type { KeeperReady, KeeperStart } from './keeper-messages.ts';

export type SpawnKeeper = {
  node: string;
  /** The folder of `keeper.mjs`. */
  program: string;
  folder: string;
  identity?: { uid: number; gid: number } | undefined;
  /** The numbers of the listening sockets in this process. */
  descriptors: number[];
};

/** The keeper does little: a small heap, and no threads for compilation. */
const KEEPER_FLAGS = ['--max-semi-space-size=1', '--single-threaded'];
/** Of util-linux, which is part of every usual distribution. */
const SETPRIV = '/usr/bin/setpriv';
const MAX_OUTPUT = 4_096;
/** Requests to apps come before everything else, as far as the rights of this process allow. Workers inherit it. */
const NICE = -10;

/**
 * In a session of its own, so that it outlives this process. Synchronous: it inherits the sockets before this returns. No program
 * that keeper or workers start has more rights than they, whatever its file says; this also holds for a Node binary with
 * capabilities, which `launch` may need for low ports.
 */
export function spawnKeeper({ node, program, folder, identity, descriptors }: SpawnKeeper) {
  const argv = [node, ...KEEPER_FLAGS, join(program, 'keeper.mjs'), folder];
  const [command = node, ...args] = existsSync(SETPRIV)
    ? [SETPRIV, '--no-new-privs', '--', ...argv]
    : argv;
  const child = spawn(command, args, {
    cwd: folder,
    env: { UV_THREADPOOL_SIZE: '1' },
    detached: true,
    ...identity,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc', ...descriptors],
  });
  preferOverOthers(child);
  return child;
}

/** Linux may share CPU time between sessions first (`sched_autogroup_enabled`): then only the nice value of the session counts. */
function preferOverOthers({ pid }: ChildProcess): void {
  try {
    if (pid === undefined) return;
    setPriority(pid, NICE);
    writeFileSync(`/proc/${pid}/autogroup`, String(NICE));
  } catch {
    // Only root may, and the process may have ended. Not every kernel has groups of sessions.
  }
}

/** A keeper that is not ready in time is killed with its workers. */
export async function startKeeper(
  child: ChildProcess,
  start: KeeperStart,
  timeoutMs: number,
): Promise<KeeperReady> {
  let output = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    output = (output + chunk.toString('utf8')).slice(-MAX_OUTPUT);
  });
  const result = await new Promise<KeeperReady>((resolve) => {
    const failed = (text: string) => resolve({ kind: 'failed', text });
    const timer = setTimeout(() => failed(`It was not ready within ${timeoutMs} ms.`), timeoutMs);
    child.once('message', (message) => resolve(message as KeeperReady));
    child.once('error', (error) => failed(error.message));
    child.once('close', (code, signal) => failed(`${signal ?? `exit code ${code}`}\n${output}`));
    child.once('message', () => clearTimeout(timer));
    child.send(start, () => {});
  });
  if (result.kind === 'failed') killSession(child);
  return result;
}

function killSession({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
