import { type Bucket, type Limit, returnToken, type Taken, takeToken } from './token-bucket.ts';

export type Buckets = {
  take(key: string, limit: Limit): Taken;
  refund(key: string, limit: Limit): void;
};

type BucketDeps = { clock: { now(): number }; maxBuckets?: number };

const MAX_BUCKETS = 50_000;

/** Buckets in memory, so many at most: the ones not used for longest are forgotten first, which is as if they were full. */
export function createBuckets({ clock, maxBuckets = MAX_BUCKETS }: BucketDeps): Buckets {
  /** The last used last. */
  const buckets = new Map<string, Bucket>();
  return {
    take(key, limit) {
      const taken = takeToken(buckets.get(key), limit, clock.now());
      keep(key, taken.bucket);
      return taken;
    },
    refund(key, limit) {
      keep(key, returnToken(buckets.get(key), limit, clock.now()));
    },
  };

  function keep(key: string, bucket: Bucket): void {
    buckets.delete(key);
    buckets.set(key, bucket);
    if (buckets.size <= maxBuckets) return;
    for (const oldest of buckets.keys()) {
      buckets.delete(oldest);
      return;
    }
  }
}
