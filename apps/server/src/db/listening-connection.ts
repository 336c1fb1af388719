import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { CHANNELS, type Change, parseNotification } from './change.ts';
import { type Connection, DATABASE_LIMITS, type DatabaseLimits } from './database.ts';

export type ListeningConnection = {
  /** Resolves when the connection has ended or no longer responds. */
  lost(signal: AbortSignal): Promise<void>;
  end(): Promise<void>;
};

export type ListeningDeps = {
  connection: Connection;
  onError: (error: unknown) => void;
  limits?: Partial<DatabaseLimits & typeof HEARTBEAT>;
  /** Prepares each new connection, such as with a lock that it holds. */
  onConnect?: (client: pg.Client) => Promise<void>;
};

/** Without regular queries, a broken connection looks like an idle one. */
const HEARTBEAT = { heartbeatMs: 10_000, responseMs: 5_000 };

/** Opens a connection that listens to all channels. */
export async function openListeningConnection(
  { connection, onError, limits, onConnect }: ListeningDeps,
  notify: (change: Change) => void,
): Promise<ListeningConnection> {
  const { connectMs, heartbeatMs, responseMs } = { ...DATABASE_LIMITS, ...HEARTBEAT, ...limits };
  const client = new pg.Client({
    ...connection,
    connectionTimeoutMillis: connectMs,
    query_timeout: responseMs,
    application_name: 'longshore changes',
  });
  const ended = new AbortController();
  client.once('end', () => ended.abort());
  client.on('error', onError);
  client.on('notification', ({ channel, payload }) => {
    try {
      notify(parseNotification(channel, payload));
    } catch (error) {
      // In an external database, other programs can write to these channels too.
      onError(error);
    }
  });
  try {
    await client.connect();
    await onConnect?.(client);
    await client.query(CHANNELS.map((channel) => `listen ${channel}`).join(';'));
  } catch (error) {
    client.end().catch(() => {});
    throw error;
  }
  return { lost, end: () => client.end() };

  async function lost(signal: AbortSignal): Promise<void> {
    const endedOrStopped = AbortSignal.any([ended.signal, signal]);
    while (!endedOrStopped.aborted) {
      try {
        await delay(heartbeatMs, undefined, { signal: endedOrStopped });
        await client.query('select');
      } catch (error) {
        if (endedOrStopped.aborted) return;
        onError(error);
        await client.end().catch(onError);
      }
    }
  }
}
