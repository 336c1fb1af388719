import { accepted, isRecord, type Parsed, refused } from './parsed.ts';

/** The app is hibernated after so many minutes without a visitor, and the next visitor wakes it. */
export type Sleep = { afterMinutes: number };

export const SLEEP_MIN_MINUTES = 1;
export const SLEEP_MAX_MINUTES = 1_440;
export const DEFAULT_SLEEP_MINUTES = 10;

/** Takes what a person typed or what came over the wire. */
export function sleepMinutesProblem(minutes: unknown): string | undefined {
  const given = typeof minutes === 'string' ? minutes.trim() : minutes;
  const isWritten = typeof given === 'string' && /^\d+$/.test(given);
  const number = isWritten ? Number(given) : given;
  const isAllowed =
    Number.isInteger(number) &&
    Number(number) >= SLEEP_MIN_MINUTES &&
    Number(number) <= SLEEP_MAX_MINUTES;
  return isAllowed
    ? undefined
    : `Must be a whole number of minutes between ${SLEEP_MIN_MINUTES} and ${SLEEP_MAX_MINUTES}`;
}

export function parseSleep(sleep: unknown): Parsed<Sleep | undefined> {
  if (sleep === undefined || sleep === null) return accepted(undefined);
  const minutes: unknown = isRecord(sleep) ? sleep.afterMinutes : undefined;
  const problem = sleepMinutesProblem(typeof minutes === 'string' ? undefined : minutes);
  return problem === undefined
    ? accepted({ afterMinutes: Number(minutes) })
    : refused('sleep.afterMinutes', problem);
}
