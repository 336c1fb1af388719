import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Scope } from './scope.ts';

/** A program that said it is ready. */
export type Program = {
  pid: number;
  /** From the moment before it was spawned. */
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

/** Resolves once it prints that it is ready; otherwise rejects with what it printed. It ends with the scope at the latest. */
export async function startProgram(
  { argv: [file, ...args], readyText, ...options }: ProgramOptions,
  scope: Scope,
): Promise<Program> {
  const startedAt = performance.now();
  const child = spawn(file, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(child, 'exit');
  // Told by whoever waits for it.
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
        // What it says from now on is read, so that it never waits, but costs us nothing to keep.
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
