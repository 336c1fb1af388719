import type { Argv } from './build-plan.ts';

const WORD = /^[A-Za-z0-9_@%+:,./=-]+$/;
const PROGRAM = /^[A-Za-z0-9_@%+,./-]+$/;
/** Shell builtins and keywords. */
export const SHELL_WORDS = new Set(
  'alias bg break case cd command continue do eval exec exit export fg for function if local read readonly return set shift source test time trap type ulimit umask unset until wait while . : [ { } !'.split(
    ' ',
  ),
);

/**
 * Parses a script of plain words, which needs neither a shell nor npm: the app then receives signals directly, its exit code is
 * visible, and about 60 MB of memory are saved.
 */
export function plainCommand(script: string): Argv | undefined {
  const [program, ...args] = script.trim().split(/[ \t]+/);
  if (program === undefined || !PROGRAM.test(program) || SHELL_WORDS.has(program)) return undefined;
  return args.every((word) => WORD.test(word)) ? [program, ...args] : undefined;
}
