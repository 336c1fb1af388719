import type { Checkout } from '../build-plan.ts';
import { dayAfterCommit } from '../day-after-commit.ts';

/**
 * The option of npm for packages of the day of the commit (decision 91); undefined if the day is not known, as of uploads.
 * Packages without a date, such as those of some mirrors, are installed in any case.
 */
export function beforeOption(checkout: Checkout): string | undefined {
  const day = dayAfterCommit(checkout);
  return day === undefined ? undefined : `--before=${day}`;
}
