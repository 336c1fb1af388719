import { parseArgs } from 'node:util';
import { systemClock } from '@longshore/edge-contract';
import { changeOperator, type RoleChange } from './auth/first-account/operators.ts';
import { readConfig } from './config.ts';
import { createShutdownHooks } from './lifecycle/shutdown-hooks.ts';
import { StartProblem } from './lifecycle/start-problem.ts';
import { createLogger } from './log/logger.ts';
import { outputFormat } from './terminal/output-format.mjs';
import { createTerminal } from './terminal/terminal.mjs';
import { openDatabaseOfInstallation } from './wiring/data-directory.ts';

const USAGE = 'Usage: npm run operator -- <email> [--revoke]';

await main();

/** Grants or revokes the role operator, while the server is running or stopped. */
async function main(): Promise<void> {
  const isTerminal = process.stdout.isTTY === true;
  const { print, write, format } = createTerminal({
    format: outputFormat({ environment: process.env, isTerminal }),
    output: (text) => process.stdout.write(text),
  });
  const shutdown = createShutdownHooks((error) => process.stderr.write(`${error}\n`));
  const clock = systemClock;
  try {
    const { email, isOperator } = readArguments(process.argv.slice(2));
    const config = readConfig(process.env, process.cwd());
    const { log, flush } = createLogger({ level: config.logLevel, format, write, clock });
    shutdown.add(async () => flush());
    const isRoot = process.getuid?.() === 0;
    const { signal } = new AbortController();
    const context = { config, isRoot, print, log, shutdown, signal };
    const db = await openDatabaseOfInstallation(context);
    print(messageOf(await changeOperator(db, { email, isOperator }), email));
  } catch (error) {
    process.exitCode = 1;
    process.stderr.write(`${error instanceof StartProblem ? error.message : error}\n`);
  } finally {
    await shutdown.runAll();
  }
}

function readArguments(args: string[]): { email: string; isOperator: boolean } {
  try {
    const options = { revoke: { type: 'boolean', default: false } } as const;
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const [email, ...rest] = positionals;
    if (email !== undefined && rest.length === 0) return { email, isOperator: !values.revoke };
  } catch (cause) {
    throw new StartProblem(USAGE, { cause });
  }
  throw new StartProblem(USAGE);
}

function messageOf(change: RoleChange, email: string): string {
  switch (change) {
    case 'granted':
      return `${email} is an operator now.`;
    case 'revoked':
      return `${email} is no longer an operator.`;
    case 'unchanged':
      return 'Nothing to change.';
    case 'no-account':
      throw new StartProblem(`There is no enabled account with the email address ${email}.`);
    case 'last-operator':
      throw new StartProblem(
        `${email} is the only operator. Make another account operator first, then revoke this one.`,
      );
  }
}
