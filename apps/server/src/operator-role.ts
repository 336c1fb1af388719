import { parseArgs } from 'node:util';
import { changeOperator, type RoleChange } from './auth/first-account/operators.ts';
import { type CommandContext, runCommand } from './lifecycle/run-command.ts';
import { StartProblem } from './lifecycle/start-problem.ts';
import { openDatabaseOfInstallation } from './wiring/data-directory.ts';

const USAGE = 'Usage: npm run operator -- <email> [--revoke]';

await runCommand(setOperator);

/** Grants or revokes the role operator, while the server is running or stopped. */
async function setOperator(context: CommandContext): Promise<void> {
  const { email, isOperator } = readArguments(context.args);
  const db = await openDatabaseOfInstallation(context);
  context.print(messageOf(await changeOperator(db, { email, isOperator }), email));
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
