import { type RunOutcome, run } from '../../processes/run.ts';

export type ToolOptions = { signal: AbortSignal; timeoutMs: number };

/** A program that could not do its work. Its output names files of the server, so users must not see it. */
export class ToolFailed extends Error {
  override readonly name = 'ToolFailed';
}

type Argv = readonly [program: string, ...args: string[]];

const ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
};
const MAX_LINES = 20;

/** Runs a program of the system and returns its first lines of output. */
export async function runTool(argv: Argv, options: ToolOptions): Promise<string[]> {
  const lines: string[] = [];
  const onLine = (line: string) => {
    if (lines.length < MAX_LINES) lines.push(line);
  };
  const outcome = await run({ argv, cwd: '/', env: ENVIRONMENT }, { ...options, onLine });
  if (outcome.kind === 'exited' && outcome.code === 0) return lines;
  throw new ToolFailed(
    `${argv[0]} ${describe(outcome)}${lines.map((line) => `\n${line}`).join('')}`,
  );
}

function describe(outcome: RunOutcome): string {
  switch (outcome.kind) {
    case 'exited':
      return `exited with code ${outcome.code}`;
    case 'killed':
      return `was killed by ${outcome.signal}`;
    case 'timed-out':
      return 'did not end in time';
    case 'missing':
      return 'is not installed';
  }
}
