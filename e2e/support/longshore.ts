import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** One Longshore, started as a person would, on ports and data of its own. */
export type Longshore = {
  url: string;
  ingressPort: number;
  /** Everything it printed so far. */
  output(): string;
  /** Asks it to stop and answers its exit code. */
  stop(): Promise<number | null>;
  /** Ends it at once, as a power cut would. */
  kill(): Promise<void>;
};

export type LongshoreOptions = {
  dataDir: string;
  port: number;
  ingressPort: number;
  env?: Record<string, string>;
  identity?: { uid: number; gid: number };
};

const ROOT = join(import.meta.dirname, '../..');
const NODE = join(ROOT, 'node_modules/.bin/node');
const READY_MS = 60_000;

/** Resolves once it says that it is ready; rejects with what it printed when it ends before. */
export async function startLongshore(options: LongshoreOptions): Promise<Longshore> {
  const started = spawnLongshore(options);
  const { child, output } = started;
  const url = `http://localhost:${options.port}`;
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`Not ready:\n${output()}`)), READY_MS);
    child.stdout?.on('data', () => {
      if (output().includes(`Longshore is ready: ${url}\n`)) resolve();
    });
    child.once('exit', () => reject(new Error(`Ended before it was ready:\n${output()}`)));
    child.once('exit', () => clearTimeout(timer));
  });
  return {
    url,
    ingressPort: options.ingressPort,
    output,
    async stop() {
      child.kill('SIGTERM');
      return await ended(child);
    },
    async kill() {
      child.kill('SIGKILL');
      await ended(child);
    },
  };
}

/** For a start that is expected to fail. */
export async function failToStart(
  options: LongshoreOptions,
): Promise<{ code: number | null; output: string }> {
  const { child, output } = spawnLongshore(options);
  const code = await ended(child);
  return { code, output: output() };
}

function spawnLongshore({ dataDir, port, ingressPort, env, identity }: LongshoreOptions) {
  const child = spawn(NODE, [join(ROOT, 'scripts/start.mjs')], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...identity,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      LONGSHORE_DATA_DIR: dataDir,
      LONGSHORE_PORT: String(port),
      LONGSHORE_INGRESS_PORT: String(ingressPort),
      LONGSHORE_ALLOW_LOCAL_SOURCES: 'true',
      ...env,
    },
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  }
  return { child, output: () => text };
}

async function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode;
}
