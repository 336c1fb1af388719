import { spawn } from 'node:child_process';
import type { Command } from './command.ts';

export type ProcessExit = { code: number | undefined; signal: string | undefined };

export type DetachedProcess = {
  pid: number;
  /** Resolves when the process exits while this server runs. */
  exited: Promise<ProcessExit>;
};

/**
 * Starts a program that keeps running when this server exits: in a separate session, so that Ctrl-C in a terminal does not
 * reach it, and with output to open files, so that no pipe breaks.
 */
export async function spawnDetached(
  command: Command,
  /** Descriptor for standard output and standard error; the caller closes its own copy. */
  output: number,
  /** Further open descriptors, which the program inherits as 3 and up. */
  inheritedFds: number[] = [],
): Promise<DetachedProcess> {
  const [program, ...args] = command.argv;
  const child = spawn(program, args, {
    cwd: command.cwd,
    env: command.env,
    ...command.identity,
    stdio: ['ignore', output, output, ...inheritedFds],
    detached: true,
  });
  if (child.pid !== undefined) command.onSpawned?.(child.pid);
  const exited = new Promise<ProcessExit>((resolve) => {
    child.once('exit', (code, signal) => {
      resolve({ code: code ?? undefined, signal: signal ?? undefined });
    });
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  child.unref();
  return { pid: child.pid as number, exited };
}
