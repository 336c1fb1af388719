import { type Bucket, type Limit, returnToken, takeToken, type Verdict } from './token-bucket.ts';

/** Token buckets, one per key. Their limits are those of `takeToken`, wherever the buckets are kept. */
export type Buckets = {
  /** Rejects if the buckets cannot be reached: nothing is allowed uncounted. */
  take(key: string, limit: Limit): Verdict | Promise<Verdict>;
  /** Never rejects: a token that is not refunded only makes the limit stricter. */
  refund(key: string, limit: Limit): void | Promise<void>;
};

/** Keys of one scope are not those of another. */
export type OpenBuckets = (scope: string) => Buckets;

type MemoryBuckets = {
  take(key: string, limit: Limit): Verdict;
  refund(key: string, limit: Limit): void;
};

type BucketDeps = { clock: { now(): number }; maxBuckets?: number };

const MAX_BUCKETS = 50_000;

/**
 * Token buckets in memory. Above the maximum, the least recently used one is dropped, which has the same effect as
 * refilling it.
 */
export function createBuckets({ clock, maxBuckets = MAX_BUCKETS }: BucketDeps): MemoryBuckets {
  /** In order of last use. */
  const buckets = new Map<string, Bucket>();
  return {
    take(key, limit) {
      const taken = takeToken(buckets.get(key), limit, clock.now());
      store(key, taken.bucket);
      return taken;
    },
    refund(key, limit) {
      const bucket = returnToken(buckets.get(key), limit, clock.now());
      // A missing bucket counts as full. So requests that do not count cannot push out the buckets of those that do.
      if (bucket.tokens >= limit.capacity) buckets.delete(key);
      else store(key, bucket);
    },
  };

  function store(key: string, bucket: Bucket): void {
    buckets.delete(key);
    buckets.set(key, bucket);
    if (buckets.size <= maxBuckets) return;
    for (const oldest of buckets.keys()) {
      buckets.delete(oldest);
      return;
    }
  }
}
