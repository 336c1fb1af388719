import type { Clock } from '@longshore/edge-contract';

export type RateLimit = {
  /** False: the limit is exceeded. */
  take(): boolean;
};

/** Allows a burst, and afterwards a number per second. */
export function createRateLimit(
  { burst, perSecond }: { burst: number; perSecond: number },
  clock: Pick<Clock, 'now'>,
): RateLimit {
  let available = burst;
  let updatedAt = clock.now();
  return {
    take() {
      const now = clock.now();
      available = Math.min(burst, available + ((now - updatedAt) / 1_000) * perSecond);
      updatedAt = now;
      if (available < 1) return false;
      available -= 1;
      return true;
    },
  };
}
