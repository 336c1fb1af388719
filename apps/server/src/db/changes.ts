import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { type Connection, DATABASE_LIMITS, type DatabaseLimits } from './database.ts';

/** What the trigger on `resources` tells. `wished`: the user's wishes changed, not only the status. */
export type ResourceChange = {
  id: string;
  userId: string;
  chartName: string;
  generation: number;
  wished: boolean;
};

/** A row of the user's in another table was added or changed. */
export type RowsChange = { table: 'releases' | 'events'; userId: string };

/** `missed` says that changes may have gone by untold, so everything has to be looked at again. */
export type Change =
  | { kind: 'resource'; change: ResourceChange }
  | { kind: 'rows'; change: RowsChange }
  | { kind: 'missed' };

export type Changes = {
  listen(listener: (change: Change) => void): () => void;
  stop(): Promise<void>;
};

type ChangesDeps = {
  connection: Connection;
  onError: (error: unknown) => void;
  limits?: DatabaseLimits;
};

/** What is told on each channel. */
const CHANNELS = { resources: 'resource', rows: 'rows' } as const;
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 5_000;
const KEEP_ALIVE_MS = 10_000;

/** One connection that listens for NOTIFY and repairs itself; after each repair everybody is told `missed`. */
export async function listenToChanges(deps: ChangesDeps): Promise<Changes> {
  const { onError } = deps;
  const listeners = new Set<(change: Change) => void>();
  const stopping = new AbortController();
  const tell = (change: Change) => {
    for (const listener of listeners) listener(change);
  };
  let client = await connect(deps, tell);
  const keptAlive = keepAlive();
  return {
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async stop() {
      stopping.abort();
      await client.end().catch(onError);
      await keptAlive;
    },
  };

  async function keepAlive(): Promise<void> {
    while (!stopping.signal.aborted) {
      await ended(client);
      if (stopping.signal.aborted) return;
      const repaired = await reconnect();
      if (repaired === undefined) return;
      client = repaired;
      tell({ kind: 'missed' });
    }
  }

  async function reconnect(): Promise<pg.Client | undefined> {
    for (let waitMs = FIRST_RETRY_MS; ; waitMs = Math.min(waitMs * 2, LAST_RETRY_MS)) {
      try {
        await delay(waitMs, undefined, { signal: stopping.signal });
        return await connect(deps, tell);
      } catch (error) {
        if (stopping.signal.aborted) return undefined;
        onError(error);
      }
    }
  }
}

async function connect(
  { connection, onError, limits = DATABASE_LIMITS }: ChangesDeps,
  tell: (change: Change) => void,
): Promise<pg.Client> {
  const client = new pg.Client({
    ...connection,
    connectionTimeoutMillis: limits.connectMs,
    query_timeout: limits.queryMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    application_name: 'longshore changes',
  });
  client.on('error', onError);
  client.on('notification', ({ channel, payload }) => {
    const kind = CHANNELS[channel as keyof typeof CHANNELS];
    tell({ kind, change: JSON.parse(payload ?? '{}') } as Change);
  });
  await client.connect();
  for (const channel of Object.keys(CHANNELS)) await client.query(`listen ${channel}`);
  return client;
}

function ended(client: pg.Client): Promise<void> {
  return new Promise((resolve) => {
    client.once('end', () => resolve());
  });
}
