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

/** Listens for NOTIFY on one connection and reconnects when it is lost; listeners then get `missed`. */
export async function listenToChanges(deps: ListeningDeps): Promise<Changes> {
  const { onError } = deps;
  const listeners = new Set<(change: Change) => void>();
  const stopping = new AbortController();
  const notify = (change: Change) => {
    for (const listener of listeners) {
      try {
        listener(change);
      } catch (error) {
        onError(error);
      }
    }
  };
  let connection = await openListeningConnection(deps, notify);
  const reconnecting = keepConnected();
  return {
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async stop() {
      stopping.abort();
      await connection.end().catch(onError);
      await reconnecting;
    },
  };

  async function keepConnected(): Promise<void> {
    while (!stopping.signal.aborted) {
      await connection.lost(stopping.signal);
      if (stopping.signal.aborted) return;
      const next = await reconnect();
      if (next === undefined) return;
      connection = next;
      notify({ kind: 'missed' });
    }
  }

  async function reconnect(): Promise<ListeningConnection | undefined> {
    for (let waitMs = FIRST_RETRY_MS; ; waitMs = Math.min(waitMs * 2, LAST_RETRY_MS)) {
      try {
        await delay(waitMs, undefined, { signal: stopping.signal });
        return await openListeningConnection(deps, notify);
      } catch (error) {
        if (stopping.signal.aborted) return undefined;
        onError(error);
      }
    }
  }
}
