import { LATENCY_BOUNDS_MS } from '@longshore/contract';

/**
 * The duration that this share of the requests did not exceed, as if the durations within a bucket were spread evenly. At most the
 * last bound, because nobody knows how long slower requests took. Null without requests.
 */
export function percentile(counts: readonly number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const rank = share * total;
  let passed = 0;
  for (const [bucket, bound] of LATENCY_BOUNDS_MS.entries()) {
    const count = counts[bucket] ?? 0;
    if (count > 0 && passed + count >= rank) {
      const lower = LATENCY_BOUNDS_MS[bucket - 1] ?? 0;
      return lower + ((bound - lower) * (rank - passed)) / count;
    }
    passed += count;
  }
  return LATENCY_BOUNDS_MS.at(-1) ?? null;
}
