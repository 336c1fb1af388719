import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { CHANNELS, type Change, changeOf } from './change.ts';
import { type Connection, DATABASE_LIMITS, type DatabaseLimits } from './database.ts';

export type ListeningConnection = {
  /** Resolves when it has ended, by itself or because it no longer answered. */
  lost(signal: AbortSignal): Promise<void>;
  end(): Promise<void>;
};

export type ListeningDeps = {
  connection: Connection;
  onError: (error: unknown) => void;
  limits?: Partial<DatabaseLimits & typeof HEARTBEAT>;
};

/** A connection that was cut without a word looks like one on which nothing happens. So it is asked. */
const HEARTBEAT = { heartbeatMs: 10_000, answerMs: 5_000 };

/** A connection that hears every NOTIFY of ours from now on. */
export async function openListeningConnection(
  { connection, onError, limits }: ListeningDeps,
  tell: (change: Change) => void,
): Promise<ListeningConnection> {
  const { connectMs, heartbeatMs, answerMs } = { ...DATABASE_LIMITS, ...HEARTBEAT, ...limits };
  const client = new pg.Client({
    ...connection,
    connectionTimeoutMillis: connectMs,
    query_timeout: answerMs,
    application_name: 'longshore changes',
  });
  const over = new AbortController();
  client.once('end', () => over.abort());
  client.on('error', onError);
  client.on('notification', ({ channel, payload }) => {
    try {
      tell(changeOf(channel, payload));
    } catch (error) {
      // In a database of the operator's, others can write to our channels too.
      onError(error);
    }
  });
  try {
    await client.connect();
    await client.query(CHANNELS.map((channel) => `listen ${channel}`).join(';'));
  } catch (error) {
    client.end().catch(() => {});
    throw error;
  }
  return { lost, end: () => client.end() };

  async function lost(signal: AbortSignal): Promise<void> {
    const either = AbortSignal.any([over.signal, signal]);
    while (!either.aborted) {
      try {
        await delay(heartbeatMs, undefined, { signal: either });
        await client.query('select');
      } catch (error) {
        if (either.aborted) return;
        onError(error);
        await client.end().catch(onError);
      }
    }
  }
}
