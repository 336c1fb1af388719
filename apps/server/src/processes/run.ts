import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from './command.ts';
import { createLineSplitter } from './line-splitter.ts';
import { stopProcessGroup } from './process-group.ts';

export type RunOptions = {
  signal: AbortSignal;
  timeoutMs: number;
  /** Called with each line of standard output and standard error. */
  onLine?: (line: string) => void;
  /** Standard input. Default: none. */
  input?: string;
};

export type RunOutcome =
  | { kind: 'exited'; code: number }
  | { kind: 'killed'; signal: string }
  | { kind: 'timed-out' }
  | { kind: 'missing' };

/** A process that left the group may hold the pipe open forever. Its output after this time is ignored. */
const PIPE_GRACE_MS = 500;

/** Runs a program until it exits. Rejects only when `signal` aborts, after the whole process group is gone. */
export async function run(command: Command, options: RunOptions): Promise<RunOutcome> {
  options.signal.throwIfAborted();
  const [program, ...args] = command.argv;
  const settings = {
    cwd: command.cwd,
    env: command.env,
    ...command.identity,
    // A separate process group, so that its children can be stopped with it.
    detached: true,
  };
  const child =
    options.input === undefined
      ? spawn(program, args, { ...settings, stdio: ['ignore', 'pipe', 'pipe'] })
      : spawn(program, args, { ...settings, stdio: ['pipe', 'pipe', 'pipe'] });
  if (child.pid !== undefined) command.onSpawned?.(child.pid);
  // A program may exit without reading its input.
  child.stdin?.on('error', () => {}).end(options.input);
  const read = Promise.all([
    readLines(child.stdout, options.onLine),
    readLines(child.stderr, options.onLine),
  ]);
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

function waitForInterruption({ signal, timeoutMs }: RunOptions): Promise<'interrupted'> {
  const stopped = AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(timeoutMs))]);
  return new Promise((resolve) => {
    stopped.addEventListener('abort', () => resolve('interrupted'), { once: true });
  });
}

function readLines(stream: Readable, onLine: RunOptions['onLine']): Promise<void> {
  const lines = createLineSplitter(onLine ?? (() => {}));
  return new Promise((resolve) => {
    stream.on('data', (chunk: Buffer) => lines.push(chunk));
    stream.once('close', () => {
      lines.end();
      resolve();
    });
  });
}
