import { setTimeout as delay } from 'node:timers/promises';
import type { Change } from './change.ts';
import {
  type ListeningConnection,
  type ListeningDeps,
  openListeningConnection,
} from './listening-connection.ts';

export type Changes = {
  listen(listener: (change: Change) => void): () => void;
  stop(): Promise<void>;
};

const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 5_000;

/** One connection that listens for NOTIFY and repairs itself; after each repair everybody is told `missed`. */
export async function listenToChanges(deps: ListeningDeps): Promise<Changes> {
  const { onError } = deps;
  const listeners = new Set<(change: Change) => void>();
  const stopping = new AbortController();
  const tell = (change: Change) => {
    for (const listener of listeners) {
      try {
        listener(change);
      } catch (error) {
        // The others must hear of it all the same.
        onError(error);
      }
    }
  };
  let connection = await openListeningConnection(deps, tell);
  const keptAlive = keepAlive();
  return {
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async stop() {
      stopping.abort();
      await connection.end().catch(onError);
      await keptAlive;
    },
  };

  async function keepAlive(): Promise<void> {
    while (!stopping.signal.aborted) {
      await connection.lost(stopping.signal);
      if (stopping.signal.aborted) return;
      const repaired = await reconnect();
      if (repaired === undefined) return;
      connection = repaired;
      tell({ kind: 'missed' });
    }
  }

  async function reconnect(): Promise<ListeningConnection | undefined> {
    for (let waitMs = FIRST_RETRY_MS; ; waitMs = Math.min(waitMs * 2, LAST_RETRY_MS)) {
      try {
        await delay(waitMs, undefined, { signal: stopping.signal });
        return await openListeningConnection(deps, tell);
      } catch (error) {
        if (stopping.signal.aborted) return undefined;
        onError(error);
      }
    }
  }
}
