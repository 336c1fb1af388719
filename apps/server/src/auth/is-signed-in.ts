import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import type { Identified } from './access-token.ts';

export type SessionOfToken = Pick<Identified, 'userId' | 'sessionId'>;

/** Whether a session goes on. A token that names none depends on its user alone. */
export async function isSignedIn(
  { userId, sessionId }: SessionOfToken,
  db: Database,
): Promise<boolean> {
  const user = db
    .selectFrom('auth.users')
    .select('id')
    .where('id', '=', userId)
    .where('disabled', '=', false);
  const found =
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
  return (await found.executeTakeFirst()) !== undefined;
}
