import type { Checkout } from './build-plan.ts';

const DAY_MS = 24 * 60 * 60_000;

/** The first day whose packages the author of the commit did not have; undefined if it is not known, as of uploads. */
export function dayAfterCommit({
  committedOn = '',
}: Pick<Checkout, 'committedOn'>): string | undefined {
  const day = new Date(`${committedOn}T00:00:00Z`).getTime();
  return Number.isNaN(day) ? undefined : new Date(day + DAY_MS).toISOString().slice(0, 10);
}
