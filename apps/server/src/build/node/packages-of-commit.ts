import type { Checkout } from '../build-plan.ts';

const DAY_MS = 24 * 60 * 60_000;

/**
 * The option of npm for packages of the day of the commit (decision 91); undefined if the day is not known, as of uploads.
 * Packages without a date, such as those of some mirrors, are installed in any case.
 */
export function beforeOption({ committedOn = '' }: Checkout): string | undefined {
  const day = new Date(`${committedOn}T00:00:00Z`).getTime();
  if (Number.isNaN(day)) return undefined;
  return `--before=${new Date(day + DAY_MS).toISOString().slice(0, 10)}`;
}
