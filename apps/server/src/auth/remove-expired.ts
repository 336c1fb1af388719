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

/** Forgets what nobody can use any more. */
export async function removeExpired(db: Database): Promise<void> {
  for (const table of EXPIRING) {
    await db.deleteFrom(table).where('expires_at', '<', sql<Date>`now()`).execute();
  }
  // The predecessor of a token that was never used stays good, as long as that one.
  await db
    .deleteFrom('auth.spent_refresh_tokens')
    .where('spent_at', '<', sql<Date>`now() - interval '30 days'`)
    .execute();
}
