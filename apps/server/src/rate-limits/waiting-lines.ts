import { createKeyedSemaphore } from '../concurrency/keyed-semaphore.ts';
import type { Release } from '../concurrency/semaphore.ts';

/** Requests of one client that wait at once. More would only take memory. */
const MAX_WAITING = 100;

/**
 * Serves the requests of a client above its limit one at a time. Many users may share the address of a proxy, so refusing
 * them would lock out users with a valid credential because of the wrong ones of others.
 */
export type WaitingLines = {
  /** Waits for the client's turn. Returns undefined if too many of its requests wait already. */
  enter(client: string, signal: AbortSignal): Promise<Release | undefined>;
};

export function createWaitingLines(maxWaiting = MAX_WAITING): WaitingLines {
  const turns = createKeyedSemaphore(1);
  const places = createKeyedSemaphore(maxWaiting);
  return {
    async enter(client, signal) {
      const free = turns.tryAcquire(client);
      if (free !== undefined) return free;
      const leave = places.tryAcquire(client);
      if (leave === undefined) return undefined;
      try {
        return await turns.acquire(client, signal);
      } finally {
        leave();
      }
    },
  };
}
