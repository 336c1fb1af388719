import { systemClock } from '@longshore/edge-contract';
import { type Config, readConfig } from '../config.ts';
import { createLogger } from '../log/logger.ts';
import { outputFormat } from '../terminal/output-format.mjs';
import { createTerminal } from '../terminal/terminal.mjs';
import type { ServerContext } from '../wiring/server-context.ts';
import { createShutdownHooks } from './shutdown-hooks.ts';
import { StartProblem } from './start-problem.ts';

export type CommandContext = Pick<
  ServerContext,
  'isRoot' | 'print' | 'log' | 'shutdown' | 'signal'
> & { args: string[]; config: Config };

/**
 * Runs a command beside the server, with its settings. A `StartProblem` is printed as one sentence, other errors with their stack.
 * `interrupted`: what Ctrl-C or SIGTERM leave behind. Without it, they end the process at once.
 */
export async function runCommand(
  work: (context: CommandContext) => Promise<void>,
  { interrupted }: { interrupted?: string } = {},
): Promise<void> {
  const isTerminal = process.stdout.isTTY === true;
  const { print, write, format } = createTerminal({
    format: outputFormat({ environment: process.env, isTerminal }),
    output: (text) => process.stdout.write(text),
  });
  const shutdown = createShutdownHooks((error) => process.stderr.write(`${error}\n`));
  const stopping = new AbortController();
  if (interrupted !== undefined) {
    for (const name of ['SIGINT', 'SIGTERM'] as const) {
      process.once(name, () => stopping.abort(new StartProblem(interrupted)));
    }
  }
  try {
    const config = readConfig(process.env, process.cwd());
    const level = config.logLevel;
    const { log, flush } = createLogger({ level, format, write, clock: systemClock });
    shutdown.add(async () => flush());
    const isRoot = process.getuid?.() === 0;
    const args = process.argv.slice(2);
    await work({ args, config, isRoot, print, log, shutdown, signal: stopping.signal });
  } catch (error) {
    process.exitCode = 1;
    process.stderr.write(`${error instanceof StartProblem ? error.message : error}\n`);
  } finally {
    await shutdown.runAll();
  }
}
