import { invalid, type Parsed, valid } from './parsed.ts';
import { isRecord } from './type-guards.ts';

/** Hibernates the app after this many minutes without traffic. The next request wakes it. */
export type Sleep = { afterMinutes: number };

export const SLEEP_MIN_MINUTES = 1;
export const SLEEP_MAX_MINUTES = 1_440;
export const DEFAULT_SLEEP_MINUTES = 10;

/** Accepts text from a form field as well as numbers from a request. */
export function sleepMinutesProblem(minutes: unknown): string | undefined {
  const trimmed = typeof minutes === 'string' ? minutes.trim() : minutes;
  const isDigits = typeof trimmed === 'string' && /^\d+$/.test(trimmed);
  const number = isDigits ? Number(trimmed) : trimmed;
  const isAllowed =
    Number.isInteger(number) &&
    Number(number) >= SLEEP_MIN_MINUTES &&
    Number(number) <= SLEEP_MAX_MINUTES;
  return isAllowed
    ? undefined
    : `Must be a whole number of minutes between ${SLEEP_MIN_MINUTES} and ${SLEEP_MAX_MINUTES}`;
}

export function parseSleep(sleep: unknown): Parsed<Sleep | undefined> {
  if (sleep === undefined || sleep === null) return valid(undefined);
  const minutes: unknown = isRecord(sleep) ? sleep.afterMinutes : undefined;
  const problem = sleepMinutesProblem(typeof minutes === 'string' ? undefined : minutes);
  return problem === undefined
    ? valid({ afterMinutes: Number(minutes) })
    : invalid('sleep.afterMinutes', problem);
}
