import { sql } from 'kysely';
import type { Database } from '../db/database.ts';

const EXPIRING = [
  'auth.refresh_tokens',
  'auth.tickets',
  'auth.one_time_codes',
  'auth.challenges',
  'auth.exchange_codes',
  'auth.provider_sessions',
  'auth.personal_access_tokens',
] as const;

/** Deletes rows that can no longer be used. */
export async function removeExpired(db: Database): Promise<void> {
  for (const table of EXPIRING) {
    await db.deleteFrom(table).where('expires_at', '<', sql<Date>`now()`).execute();
  }
  await removeOldEvents(db);
  // A spent token is accepted again if its successor was never used, so it is kept as long as a successor is valid.
  await db
    .deleteFrom('auth.spent_refresh_tokens')
    .where('spent_at', '<', sql<Date>`now() - interval '30 days'`)
    .execute();
}

const MAX_EVENTS = 200_000;

/** The log of an installation that is attacked must not fill the disk. */
async function removeOldEvents(db: Database): Promise<void> {
  await db
    .deleteFrom('auth.events')
    .where('at', '<', sql<Date>`now() - interval '90 days'`)
    .execute();
  const newest = db.selectFrom('auth.events').select('id').orderBy('id', 'desc');
  await db
    .deleteFrom('auth.events')
    .where('id', '<=', newest.offset(MAX_EVENTS).limit(1))
    .execute();
}
