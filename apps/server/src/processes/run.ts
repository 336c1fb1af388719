import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from './command.ts';
import { createLineSplitter } from './line-splitter.ts';
import { stopProcessGroup } from './process-group.ts';
import { spawnTurn } from './spawn-turn.ts';

export type RunOptions = {
  signal: AbortSignal;
  timeoutMs: number;
  /** Called with each line of standard output and standard error. */
  onLine?: (line: string) => void;
  /** Standard input. Default: none. */
  input?: string;
  /** Whether a carriage return ends a line too, as in the progress that a program displays. */
  splitsAtReturns?: boolean;
};

export type RunOutcome =
  | { kind: 'exited'; code: number }
  | { kind: 'killed'; signal: string }
  | { kind: 'timed-out' }
  | { kind: 'missing' };

const [RETURN, NEWLINE] = [0x0d, 0x0a];
/** A process that left the group may hold the pipe open forever. Its output after this time is ignored. */
export const PIPE_GRACE_MS = 500;

/** Runs a program until it exits. Rejects only when `signal` aborts, after the whole process group is gone. */
export async function run(command: Command, options: RunOptions): Promise<RunOutcome> {
  await spawnTurn();
  options.signal.throwIfAborted();
  const [program, ...args] = command.argv;
  const input = options.input === undefined ? 'ignore' : 'pipe';
  const child = spawn(program, args, {
    cwd: command.cwd,
    env: command.env,
    ...command.identity,
    // A separate process group, so that its children can be stopped with it.
    detached: true,
    stdio: [input, 'pipe', 'pipe', ...(command.inheritedFds ?? [])],
  }) as ChildProcessByStdio<Writable | null, Readable, Readable>;
  if (child.pid !== undefined) command.onSpawned?.(child.pid);
  // A program may exit without reading its input.
  child.stdin?.on('error', () => {}).end(options.input);
  const read = Promise.all([readLines(child.stdout, options), readLines(child.stderr, options)]);
  const ended = waitForExit(child);
  const first = await Promise.race([ended, waitForInterruption(options)]);
  if (child.pid !== undefined) await stopProcessGroup(child.pid);
  await Promise.race([read, delay(PIPE_GRACE_MS)]);
  child.stdout.destroy();
  child.stderr.destroy();
  if (first !== 'interrupted') return first;
  await ended;
  options.signal.throwIfAborted();
  return { kind: 'timed-out' };
}

function waitForExit(child: ChildProcess): Promise<RunOutcome> {
  return new Promise((resolve) => {
    child.once('error', () => resolve({ kind: 'missing' }));
    child.once('exit', (code, signal) => {
      resolve(signal === null ? { kind: 'exited', code: code ?? 0 } : { kind: 'killed', signal });
    });
  });
}

/** Resolves when the run is aborted, perhaps already, or its time is over. */
export function waitForInterruption({
  signal,
  timeoutMs,
}: Pick<RunOptions, 'signal' | 'timeoutMs'>): Promise<'interrupted'> {
  const stopped = AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(timeoutMs))]);
  return new Promise((resolve) => {
    if (stopped.aborted) resolve('interrupted');
    stopped.addEventListener('abort', () => resolve('interrupted'), { once: true });
  });
}

/** Calls `onLine` with each line; resolves when the stream is closed. */
export function readLines(
  stream: Readable,
  { onLine, splitsAtReturns }: RunOptions,
): Promise<void> {
  const lines = createLineSplitter(onLine ?? (() => {}));
  return new Promise((resolve) => {
    stream.on('data', (chunk: Buffer) => {
      if (splitsAtReturns === true) replaceReturns(chunk);
      lines.push(chunk);
    });
    stream.once('close', () => {
      lines.end();
      resolve();
    });
  });
}

function replaceReturns(chunk: Buffer): void {
  for (let at = chunk.indexOf(RETURN); at !== -1; at = chunk.indexOf(RETURN, at))
    chunk[at] = NEWLINE;
}
