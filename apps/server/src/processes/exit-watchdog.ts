import { spawn } from 'node:child_process';
import { Socket } from 'node:net';
import type { Command } from './command.ts';

/**
 * Runs a command as soon as this server process has exited, even by SIGKILL. Until then only `xargs` runs: it waits for the
 * end of its standard input, a pipe whose other end this process holds and the kernel closes.
 */
export async function startExitWatchdog({ argv, cwd, env }: Command): Promise<{ pid: number }> {
  const child = spawn('xargs', [...argv], {
    cwd,
    env,
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  // The watchdog must not keep this process from exiting.
  child.unref();
  if (child.stdin instanceof Socket) child.stdin.unref();
  return { pid: child.pid as number };
}
