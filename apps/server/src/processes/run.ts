import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Command } from './command.ts';
import { endGroup } from './end-group.ts';

export type RunOptions = {
  signal: AbortSignal;
  timeoutMs: number;
  /** Each line of standard output and standard error, as it comes. */
  onLine?: (line: string) => void;
};

export type RunEnd =
  | { kind: 'exited'; code: number }
  | { kind: 'killed'; signal: string }
  | { kind: 'timed-out' }
  | { kind: 'missing' };

/** Runs a program to its end. Rejects only when `signal` aborts; the whole process group is gone by then. */
export async function run(command: Command, options: RunOptions): Promise<RunEnd> {
  options.signal.throwIfAborted();
  const [program, ...args] = command.argv;
  const child = spawn(program, args, {
    cwd: command.cwd,
    env: command.env,
    ...command.identity,
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that everything it started can be ended with it.
    detached: true,
  });
  const closed = new Promise<RunEnd>((resolve) => {
    child.once('error', () => resolve({ kind: 'missing' }));
    child.once('close', (code, signal) => {
      resolve(signal === null ? { kind: 'exited', code: code ?? 0 } : { kind: 'killed', signal });
    });
  });
  readLines(child.stdout, options.onLine);
  readLines(child.stderr, options.onLine);
  return await endOf(closed, child.pid, options);
}

async function endOf(
  closed: Promise<RunEnd>,
  pid: number | undefined,
  { signal, timeoutMs }: RunOptions,
): Promise<RunEnd> {
  const deadline = AbortSignal.timeout(timeoutMs);
  const stopped = AbortSignal.any([signal, deadline]);
  const interrupted = new Promise<'interrupted'>((resolve) => {
    stopped.addEventListener('abort', () => resolve('interrupted'), { once: true });
  });
  const first = await Promise.race([closed, interrupted]);
  if (pid !== undefined) await endGroup(pid);
  if (first !== 'interrupted') return first;
  await closed;
  signal.throwIfAborted();
  return { kind: 'timed-out' };
}

function readLines(stream: Readable, onLine: RunOptions['onLine']): void {
  if (onLine === undefined) stream.resume();
  else createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on('line', onLine);
}
