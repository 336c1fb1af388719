import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect } from 'vitest';

/** A Longshore process with its own ports and data directory. */
export type Longshore = {
  url: string;
  pid: number;
  ingressPort: number;
  /** Everything printed so far. */
  output(): string;
  /** Sends the signals one after another and returns the exit code. */
  stop(...signals: NodeJS.Signals[]): Promise<number | null>;
  /** Kills it with SIGKILL. */
  kill(): Promise<void>;
  /** Closes its output pipes, like a closed terminal. */
  closeOutput(): void;
};

export type LongshoreOptions = {
  dataDir: string;
  port: number;
  ingressPort: number;
  env?: Record<string, string>;
  identity?: { uid: number; gid: number } | undefined;
  /** Runs instead of the start script of this checkout. */
  command?: { argv: readonly [string, ...string[]]; cwd: string } | undefined;
};

/** The result of a finished run. */
export type FinishedRun = { code: number | null; stdout: string; stderr: string };

export const ROOT = join(import.meta.dirname, '../..');
const READY = 'Longshore is ready: ';
/** The message ends its line, or its JSON string. Earlier versions print it as a line of its own. */
const isReady = (output: string, url: string) =>
  output.includes(`${READY}${url}"`) || output.includes(`${READY}${url}\n`);
const READY_TIMEOUT_MS = 150_000;
const TERMINATE_TIMEOUT_MS = 10_000;
const outputs: (() => string)[] = [];

/** What every server of this test file has printed, in the order of their starts. */
export function outputsOfServers(): string[] {
  return outputs.map((output) => output());
}

/** The start script of a checkout, on the Node from its dependencies. */
export function startScript(
  checkout: string,
  ...args: string[]
): { argv: [string, ...string[]]; cwd: string } {
  const node = join(checkout, 'node_modules/.bin/node');
  return { argv: [node, join(checkout, 'scripts/start.mjs'), ...args], cwd: checkout };
}

/**
 * Resolves when it prints that it is ready. Rejects with its output if it exits before, or when `deadline` is aborted; then
 * no process is left, because the start script passes SIGTERM on to `npm install`.
 */
export async function startLongshore(
  options: LongshoreOptions,
  deadline = AbortSignal.timeout(READY_TIMEOUT_MS),
): Promise<Longshore> {
  const { child, output } = spawnLongshore(options);
  const url = options.env?.LONGSHORE_PUBLIC_URL ?? `http://localhost:${options.port}`;
  const state = await new Promise<'ready' | 'exited' | 'late'>((resolve) => {
    child.stdout.on('data', () => {
      if (isReady(output(), url)) resolve('ready');
    });
    child.once('exit', () => resolve('exited'));
    deadline.addEventListener('abort', () => resolve('late'), { once: true });
  });
  if (state === 'exited') throw new Error(`Longshore exited before it was ready:\n${output()}`);
  if (state === 'late') {
    await terminate(child);
    throw new Error(`Not ready in time:\n${output()}`);
  }
  return {
    url,
    pid: child.pid ?? 0,
    ingressPort: options.ingressPort,
    output,
    async stop(...signals) {
      for (const signal of signals.length === 0 ? (['SIGTERM'] as const) : signals)
        child.kill(signal);
      return await exited(child);
    },
    async kill() {
      child.kill('SIGKILL');
      await exited(child);
    },
    closeOutput() {
      child.stdout.destroy();
      child.stderr.destroy();
    },
  };
}

/** For a run that is expected to exit, by itself or by a signal sent after it printed a text. */
export async function runLongshore(
  options: LongshoreOptions,
  end: { at: string; signal: NodeJS.Signals } = { at: READY, signal: 'SIGTERM' },
): Promise<FinishedRun> {
  const { child, output, printed } = spawnLongshore(options);
  child.stdout.on('data', function stopAtText() {
    if (!output().includes(end.at)) return;
    // Once: a second signal would kill a process whose handlers are removed while it exits.
    child.stdout.off('data', stopAtText);
    child.kill(end.signal);
  });
  const closed = once(child, 'close');
  const code = await exited(child);
  await closed;
  return { code, ...printed };
}

/** A run in a terminal of its own, as a user sees it. */
export type TerminalRun = {
  /** The lines on the screen, with their colors. */
  screen(): string[];
  /** Resolves once a line contains the text. */
  shows(text: string): Promise<void>;
  pressCtrlC(): void;
  exited(): Promise<number | null>;
};

/** `script` opens the terminal; it exits with the exit code of its command. */
export function startInTerminal(options: LongshoreOptions): TerminalRun {
  const { argv, cwd } = options.command ?? startScript(ROOT);
  const child = spawn('script', ['-qefc', `exec ${argv.join(' ')}`, '/dev/null'], {
    cwd,
    env: { TERM: 'xterm', ...environmentOf(options) },
  });
  const closed = once(child, 'close');
  let written = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    written += chunk;
  });
  return {
    screen: () => linesOnScreen(written),
    shows: (text) => expect.poll(() => written, { timeout: READY_TIMEOUT_MS }).toContain(text),
    pressCtrlC: () => void child.stdin.write('\u0003'),
    async exited() {
      await closed;
      return child.exitCode;
    },
  };
}

/** A carriage return continues at the start of the line, over what is there. */
function linesOnScreen(written: string): string[] {
  const lines = written.replaceAll('\r\n', '\n').split('\n');
  return lines.map((line) => line.split('\r').reduce(overwrite).trimEnd());
}

function overwrite(before: string, after: string): string {
  return after + before.slice(after.length);
}

function environmentOf({ dataDir, port, ingressPort, env }: LongshoreOptions) {
  return {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    LONGSHORE_DATA_DIR: dataDir,
    LONGSHORE_PORT: String(port),
    LONGSHORE_INGRESS_PORT: String(ingressPort),
    LONGSHORE_ENGINE: 'process',
    LONGSHORE_ALLOW_LOCAL_SOURCES: 'true',
    // Half of a small machine is too little for some journeys.
    LONGSHORE_QUOTA_CPU: '0',
    LONGSHORE_QUOTA_MEMORY_MB: '0',
    ...env,
  };
}

function spawnLongshore(options: LongshoreOptions) {
  const { identity, command = startScript(ROOT) } = options;
  const [program, ...args] = command.argv;
  const child = spawn(program, args, {
    cwd: command.cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...identity,
    env: environmentOf(options),
  });
  const printed = { stdout: '', stderr: '' };
  let all = '';
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      printed[name] += chunk;
      all += chunk;
    });
  }
  const output = () => all;
  outputs.push(output);
  return { child, printed, output };
}

async function terminate(child: ChildProcess): Promise<void> {
  const timer = setTimeout(() => child.kill('SIGKILL'), TERMINATE_TIMEOUT_MS);
  child.kill('SIGTERM');
  await exited(child);
  clearTimeout(timer);
}

async function exited(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode;
}
