import { type RunOutcome, run } from '../../processes/run.ts';

export type Argv = readonly [program: string, ...args: string[]];

export type ToolOptions = {
  signal: AbortSignal;
  timeoutMs: number;
  /** Exit code 1 is a success when the whole output matches. */
  harmless?: RegExp;
  /** Higher exit codes are failures. Default: 0. */
  maxCode?: number;
};

/** A program of the system that did not succeed. Its output names files of the server, so users must not see it. */
export class ToolFailed extends Error {
  override readonly name = 'ToolFailed';
}

const ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
};
const MAX_LINES = 20;

/** Runs a program of the system and returns its output: the last lines, harmless ones only when there are no others. */
export async function runTool(argv: Argv, options: ToolOptions): Promise<string[]> {
  const { harmless, maxCode = 0, ...limits } = options;
  const lines = { harmless: [] as string[], other: [] as string[] };
  const onLine = (line: string) => {
    const kept = harmless?.test(line) ? lines.harmless : lines.other;
    if (kept.push(line) > MAX_LINES) kept.shift();
  };
  const outcome = await run({ argv, cwd: '/', env: ENVIRONMENT }, { ...limits, onLine });
  const isHarmless = lines.harmless.length > 0 && lines.other.length === 0;
  const output = isHarmless ? lines.harmless : lines.other;
  if (outcome.kind === 'exited' && outcome.code <= (isHarmless ? 1 : maxCode)) return output;
  throw new ToolFailed([`${argv[0]} ${describe(outcome)}`, ...output].join('\n'));
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
