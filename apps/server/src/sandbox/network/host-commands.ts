import { readFile, writeFile } from 'node:fs/promises';
import { type RunOutcome, run } from '../../processes/run.ts';

type Argv = readonly [program: string, ...args: string[]];

/** Programs and kernel settings of the machine. Tests use those of a network namespace. */
export type HostCommands = {
  /** Resolves with the output. Rejects with NetworkCommandFailed unless the program exits with 0. */
  run(argv: Argv, options: { input?: string; signal: AbortSignal }): Promise<string>;
  /** Below /proc/sys/net. Undefined when the kernel has no such setting. */
  readSetting(name: string): Promise<string | undefined>;
  writeSetting(name: string, value: string): Promise<void>;
  /** A file of the network namespace. */
  namespaceFile: string;
};

export class NetworkCommandFailed extends Error {
  readonly output: string;

  constructor([program, ...args]: Argv, outcome: RunOutcome, output: string) {
    const ending = outcome.kind === 'exited' ? `exited with ${outcome.code}` : outcome.kind;
    super(`${[program, ...args].join(' ')} ${ending}: ${output.slice(0, 500)}`);
    this.output = output;
  }
}

const TIMEOUT_MS = 20_000;
const ENV = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' };

export const hostCommands: HostCommands = {
  run: runCommand,
  async readSetting(name) {
    const text = await readFile(`/proc/sys/net/${name}`, 'utf8').catch(() => undefined);
    return text?.trim();
  },
  writeSetting: (name, value) => writeFile(`/proc/sys/net/${name}`, value),
  namespaceFile: '/proc/self/ns/net',
};

async function runCommand(
  argv: Argv,
  { input, signal }: { input?: string; signal: AbortSignal },
): Promise<string> {
  const lines: string[] = [];
  const outcome = await run(
    { argv, cwd: '/', env: ENV },
    {
      signal,
      timeoutMs: TIMEOUT_MS,
      onLine: (line) => lines.push(line),
      ...(input === undefined ? {} : { input }),
    },
  );
  const output = lines.join('\n');
  if (outcome.kind === 'exited' && outcome.code === 0) return output;
  throw new NetworkCommandFailed(argv, outcome, output);
}
