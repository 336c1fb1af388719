import type { Argv } from './build-plan.ts';

const WORD = /^[A-Za-z0-9_@%+:,./=-]+$/;
const PROGRAM = /^[A-Za-z0-9_@%+,./-]+$/;
/** Words that mean something only to a shell. */
export const SHELL_WORDS = new Set(
  'alias bg break case cd command continue do eval exec exit export fg for function if local read readonly return set shift source test time trap type ulimit umask unset until wait while . : [ { } !'.split(
    ' ',
  ),
);

/**
 * A script that is only words needs no shell and no npm around it: the app itself is then the process that
 * gets our signals and whose exit code we see, and some 60 MB stay free.
 */
export function plainCommand(script: string): Argv | undefined {
  const [program, ...args] = script.trim().split(/[ \t]+/);
  if (program === undefined || !PROGRAM.test(program) || SHELL_WORDS.has(program)) return undefined;
  return args.every((word) => WORD.test(word)) ? [program, ...args] : undefined;
}
