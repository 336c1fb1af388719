import type { Command } from '../processes/command.ts';

/*
 * The last program before the user's one is `sh`, already as the user of the app. It reads this script from its standard
 * input. So neither the variables nor the arguments of the user are seen by a program with more rights (`LD_PRELOAD` would
 * run code as root), and none is in a command line that others can read.
 */

/** Names that a shell can set. `env` sets the others. */
const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * A script that sets the variables and becomes the program. `sh` runs a group only once it has read its end, so a script that
 * is cut off, because the server died while writing it, runs nothing.
 */
export function startScript({ argv, cwd, env }: Pick<Command, 'argv' | 'cwd' | 'env'>): string {
  const variables = Object.entries(env);
  const exports = variables
    .filter(([name]) => IDENTIFIER.test(name))
    .map(([name, value]) => `export ${name}=${quote(value)}`);
  const others = variables
    .filter(([name]) => !IDENTIFIER.test(name))
    .map(([name, value]) => quote(`${name}=${value}`));
  const words = [...(others.length > 0 ? ['env', '--', ...others] : []), ...argv.map(quote)];
  return [
    '{',
    `cd -- ${quote(cwd)} || exit`,
    'unset OLDPWD',
    ...exports,
    `exec ${words.join(' ')} </dev/null`,
    '}',
    '',
  ].join('\n');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
