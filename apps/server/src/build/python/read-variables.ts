import { envKeyProblem } from '@longshore/contract';
import type { Checkout } from '../build-plan.ts';

const MAX_VARIABLES = 50;
/** Returns None if the variable is not set. Another default follows a comma, or `or`. */
const READ =
  /\b(?:os\.getenv|getenv|environ\.get)\(\s*["'](\w+)["']\s*(?:,\s*None\s*)?\)(?!\s*or\b)/g;

/** The variables that programs read without a default, and the files that read them. */
export function readVariables({ texts }: Checkout): { name: string; file: string }[] {
  return Object.entries(texts)
    .filter(([file]) => file.endsWith('.py'))
    .flatMap(([file, text]) =>
      [...new Set([...text.matchAll(READ)].map(([, name = '']) => name))]
        .filter((name) => envKeyProblem(name) === undefined)
        .map((name) => ({ name, file })),
    )
    .slice(0, MAX_VARIABLES);
}
