import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Scope } from './scope.ts';

/** A program that is ready. */
export type Program = {
  pid: number;
  /** Measured from before it was spawned. */
  readyMs: number;
  stop(): Promise<void>;
};

type ProgramOptions = SpawnOptions & {
  argv: readonly [string, ...string[]];
  /** Printed once it is ready. */
  readyText: string;
};

const READY_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 20_000;

/**
 * Resolves when it prints its ready text; otherwise rejects with its output. It is killed at the end of the scope.
 */
export async function startProgram(
  { argv: [file, ...args], readyText, ...options }: ProgramOptions,
  scope: Scope,
): Promise<Program> {
  const startedAt = performance.now();
  const child = spawn(file, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(child, 'exit');
  // Reported by the code that waits for it.
  exited.catch(() => {});
  const stop = async () => {
    if (child.pid === undefined) return;
    child.kill('SIGTERM');
    const force = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await exited;
    clearTimeout(force);
  };
  scope.defer(stop);
  let output = '';
  const readyAt = await new Promise<number | undefined>((resolve) => {
    const timer = setTimeout(() => resolve(undefined), READY_TIMEOUT_MS);
    const settle = (at: number | undefined) => {
      clearTimeout(timer);
      resolve(at);
    };
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', function keep(text: string) {
        output += text;
        if (!output.includes(readyText)) return;
        settle(performance.now());
        // Further output is read so that it never blocks, but not stored.
        stream.off('data', keep).resume();
      });
    }
    exited.then(() => settle(undefined)).catch(() => settle(undefined));
  });
  if (readyAt !== undefined && child.pid !== undefined) {
    return { pid: child.pid, readyMs: readyAt - startedAt, stop };
  }
  throw new Error(`${file} ${args.join(' ')} was not ready:\n${output}`);
}
