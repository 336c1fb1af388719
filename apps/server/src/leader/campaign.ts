import { setTimeout as delay } from 'node:timers/promises';
import type { DatabaseLock } from './database-lock.ts';

export type CampaignDeps = {
  openLock(): Promise<DatabaseLock>;
  /** Starts what only the leader does. The signal is aborted when this server does not lead any more, also while it starts. */
  lead(signal: AbortSignal, lock: Pick<DatabaseLock, 'query' | 'lost'>): Promise<Term>;
  /** The time between two tries to take the lock. */
  retryMs?: number;
  onError(error: unknown): void;
};

/** What a leader has started. */
export type Term = { end(): Promise<void> };

const RETRY_MS = 1_000;
/** A server that cannot lead leaves the lock to the others for longer each time, up to this many times `retryMs`. */
const MAX_PAUSES = 32;

/** Tries to become the leader until it is stopped. A leader that loses the lock ends its term and tries again. */
export function startCampaign(deps: CampaignDeps): { stop(): Promise<void> } {
  const { openLock, lead, onError, retryMs = RETRY_MS } = deps;
  const stopping = new AbortController();
  const campaign = run();
  return {
    async stop() {
      stopping.abort();
      await campaign;
    },
  };

  async function run(): Promise<void> {
    for (let pauses = 1; !stopping.signal.aborted; ) {
      try {
        await serveTerm();
        pauses = 1;
      } catch (error) {
        if (!stopping.signal.aborted) onError(error);
        pauses = Math.min(pauses * 2, MAX_PAUSES);
      }
      await pause(pauses, stopping.signal);
    }
  }

  async function serveTerm(): Promise<void> {
    const lock = await openLock();
    const ended = AbortSignal.any([stopping.signal, lock.lost]);
    try {
      while (!(await lock.tryTake())) {
        await pause(1, ended);
        if (ended.aborted) return;
      }
      const term = await lead(ended, lock);
      await aborted(ended);
      await term.end();
    } finally {
      await lock.close();
    }
  }

  async function pause(times: number, signal: AbortSignal): Promise<void> {
    await delay(times * retryMs, undefined, { signal }).catch(() => {});
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
