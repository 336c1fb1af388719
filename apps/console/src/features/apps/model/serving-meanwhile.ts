import type { Release } from '@longshore/contract';

/** Newest first. While the newest release does not serve, the one that served last does: its number. */
export function servingMeanwhile([newest, ...earlier]: Release[]): number | undefined {
  if (newest === undefined || newest.outcome === 'live') return undefined;
  return earlier.find(({ outcome }) => outcome === 'live')?.number;
}
