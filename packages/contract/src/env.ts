import { envKeyProblem } from './env-key.ts';
import { referenceProblem } from './references.ts';
import { isRecord } from './type-guards.ts';

/** Every engine sets this variable to the number of the main port. */
export const PORT_VARIABLE = 'PORT';

/** Apps have them without an entry in their settings. */
export const ALWAYS_SET: ReadonlySet<string> = new Set([
  'PATH',
  'HOME',
  'HOST',
  'TMPDIR',
  'PWD',
  'NODE_ENV',
  PORT_VARIABLE,
]);

/** Linux limits one environment string to 128 KiB, and a character may take four bytes. */
export const ENV_VALUE_MAX_LENGTH = 30_000;

/** `stored`: the variables that the app already has, in any form. */
export function envProblem(key: string, value: unknown, stored?: unknown): string | undefined {
  return envKeyProblem(key) ?? portVariableProblem(key, value, stored) ?? envValueProblem(value);
}

/** Whether an app of an older version has a PORT variable. Engines ignore it, and it stays until it is removed. */
export function isIgnoredVariable(key: string, value: unknown, stored: unknown): boolean {
  return key === PORT_VARIABLE && isRecord(stored) && stored[PORT_VARIABLE] === value;
}

function portVariableProblem(key: string, value: unknown, stored: unknown): string | undefined {
  return key === PORT_VARIABLE && !isIgnoredVariable(key, value, stored)
    ? 'Use the port setting'
    : undefined;
}

function envValueProblem(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.includes('\0')) return 'Environment values must be text';
  return value.length > ENV_VALUE_MAX_LENGTH
    ? `Environment values must be at most ${ENV_VALUE_MAX_LENGTH} characters`
    : referenceProblem(value);
}
