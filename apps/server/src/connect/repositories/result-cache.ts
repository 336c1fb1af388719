import type { Clock } from '@longshore/edge-contract';

export type ResultCacheOptions = {
  clock: Pick<Clock, 'now'>;
  lifetimeMs: number;
  /** Limit for the total weight of all cached results. */
  maxWeight: number;
};

export type WeightedResult<Result> = { result: Result; weight: number };

/** Caches results for a short time. Concurrent calls with the same key share one load. Failures are not cached. */
export type ResultCache<Result> = {
  /** The cached result, if there is one. Never loads. */
  peek(key: string): Result | undefined;
  get(key: string, load: () => Promise<WeightedResult<Result>>): Promise<Result>;
};

export function createResultCache<Result>(options: ResultCacheOptions): ResultCache<Result> {
  const { clock, lifetimeMs, maxWeight } = options;
  /** In the order of their expiry. */
  const cached = new Map<string, WeightedResult<Result> & { expiresAt: number }>();
  const loading = new Map<string, Promise<Result>>();
  let totalWeight = 0;

  function remove(key: string): void {
    totalWeight -= cached.get(key)?.weight ?? 0;
    cached.delete(key);
  }

  function add(key: string, { result, weight }: WeightedResult<Result>): void {
    remove(key);
    cached.set(key, { result, weight, expiresAt: clock.now() + lifetimeMs });
    totalWeight += weight;
    for (const [oldest, { expiresAt }] of cached) {
      if (totalWeight <= maxWeight && expiresAt > clock.now()) break;
      remove(oldest);
    }
  }

  function peek(key: string): Result | undefined {
    const entry = cached.get(key);
    return entry !== undefined && entry.expiresAt > clock.now() ? entry.result : undefined;
  }

  async function loadAndAdd(
    key: string,
    load: () => Promise<WeightedResult<Result>>,
  ): Promise<Result> {
    const loaded = await load();
    add(key, loaded);
    return loaded.result;
  }

  return {
    peek,
    async get(key, load) {
      const found = peek(key);
      if (found !== undefined) return found;
      const result = loading.get(key) ?? loadAndAdd(key, load).finally(() => loading.delete(key));
      loading.set(key, result);
      return await result;
    },
  };
}
