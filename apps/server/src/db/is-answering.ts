import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from './database.ts';

const TIMEOUT_MS = 3_000;

/** Whether the database answers in time. */
export async function isAnswering(db: Database, timeoutMs = TIMEOUT_MS): Promise<boolean> {
  const timer = new AbortController();
  const late = delay(timeoutMs, false, { signal: timer.signal }).catch(() => false);
  const answer = sql`select 1`.execute(db).then(
    () => true,
    () => false,
  );
  return await Promise.race([answer, late]).finally(() => timer.abort());
}
