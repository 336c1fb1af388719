import type { Clock } from '../../schedule/clock.ts';

export type BriefCacheOptions = {
  clock: Pick<Clock, 'now'>;
  lifetimeMs: number;
  /** How much all answers may weigh together. */
  maxWeight: number;
};

export type Weighed<Answer> = { answer: Answer; weight: number };

/**
 * Keeps answers for a moment, the newest of them. Who asks for the same thing at the same time shares one answer;
 * failures are everybody's own.
 */
export type BriefCache<Answer> = {
  /** What is kept, if it is; nobody is asked. */
  peek(key: string): Answer | undefined;
  get(key: string, make: () => Promise<Weighed<Answer>>): Promise<Answer>;
};

export function createBriefCache<Answer>(options: BriefCacheOptions): BriefCache<Answer> {
  const { clock, lifetimeMs, maxWeight } = options;
  /** In the order in which they end. */
  const kept = new Map<string, Weighed<Answer> & { endsAt: number }>();
  const underWay = new Map<string, Promise<Answer>>();
  let weightKept = 0;

  function drop(key: string): void {
    weightKept -= kept.get(key)?.weight ?? 0;
    kept.delete(key);
  }

  function keep(key: string, made: Weighed<Answer>): void {
    drop(key);
    kept.set(key, { ...made, endsAt: clock.now() + lifetimeMs });
    weightKept += made.weight;
    for (const [oldest, { endsAt }] of kept) {
      if (weightKept <= maxWeight && endsAt > clock.now()) break;
      drop(oldest);
    }
  }

  function peek(key: string): Answer | undefined {
    const found = kept.get(key);
    return found !== undefined && found.endsAt > clock.now() ? found.answer : undefined;
  }

  async function fresh(key: string, make: () => Promise<Weighed<Answer>>): Promise<Answer> {
    const made = await make();
    keep(key, made);
    return made.answer;
  }

  return {
    peek,
    async get(key, make) {
      const found = peek(key);
      if (found !== undefined) return found;
      const answer = underWay.get(key) ?? fresh(key, make).finally(() => underWay.delete(key));
      underWay.set(key, answer);
      return await answer;
    },
  };
}
