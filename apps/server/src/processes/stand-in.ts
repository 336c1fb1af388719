import { spawn } from 'node:child_process';
import { Socket } from 'node:net';
import type { Command } from './command.ts';

/**
 * Runs a program as soon as this server is gone, however it went. Until then there is only `xargs`, which waits for the end
 * of a pipe that we hold; the end of the pipe is our end.
 */
export async function startStandIn({ argv, cwd, env }: Command): Promise<{ pid: number }> {
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
  // It must not keep us from ending.
  child.unref();
  if (child.stdin instanceof Socket) child.stdin.unref();
  return { pid: child.pid as number };
}
