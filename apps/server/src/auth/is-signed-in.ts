import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import type { Identified } from './access-token.ts';

export type TokenSession = Pick<Identified, 'userId' | 'sessionId'>;

/** Whether a session still exists. A token without a session id is valid as long as its user is enabled. */
export async function isSignedIn(
  { userId, sessionId }: TokenSession,
  db: Database,
): Promise<boolean> {
  const user = db
    .selectFrom('auth.users')
    .select('id')
    .where('id', '=', userId)
    .where('disabled', '=', false);
  const query =
    sessionId === undefined
      ? user
      : user.where(({ exists, selectFrom }) =>
          exists(
            selectFrom('auth.refresh_tokens')
              .select('id')
              .where('auth.refresh_tokens.id', '=', sessionId)
              .where('user_id', '=', userId)
              .where('expires_at', '>', sql<Date>`now()`),
          ),
        );
  return (await query.executeTakeFirst()) !== undefined;
}
