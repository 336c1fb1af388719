import type { Checkout } from './build-plan.ts';
import { type CommandLine, parseCommandLine } from './command-line.ts';

/** What the checkout's Procfile says about the program that visitors reach; undefined when it says nothing. */
export function webLine({ texts }: Checkout): CommandLine | undefined {
  const [, line] = /^web:[ \t]*(\S.*)$/m.exec(texts.Procfile ?? '') ?? [];
  return line === undefined ? undefined : parseCommandLine(line);
}
