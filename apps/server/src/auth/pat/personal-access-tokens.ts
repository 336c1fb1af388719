import { createHash, randomUUID } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { PersonalAccessTokensTable } from '../../db/schema.ts';

export type NewPat = {
  userId: string;
  expiresAt: Date;
  metadata: Record<string, unknown> | null;
};

export type PersonalAccessTokens = {
  /** Returns the token's value, which cannot be read again. */
  issue(pat: NewPat): Promise<{ id: string; token: string }>;
  /** Finds a token by its value and records the use. Undefined if it is unknown or has expired. */
  use(token: string): Promise<{ id: string; userId: string } | undefined>;
  /** Makes a session end when the token is revoked or expires. Returns false if the token was revoked already. */
  bind(id: string, sessionId: string): Promise<boolean>;
  /** The tokens that have not expired, newest first. */
  ofUser(userId: string): Promise<Omit<Selectable<PersonalAccessTokensTable>, 'token_hash'>[]>;
  /** Returns whether the user had such a token. */
  revoke(userId: string, id: string): Promise<boolean>;
  revokeAll(userId: string): Promise<void>;
};

type PatDeps = { db: Database; clock: { now(): number } };

/** The database holds only hashes. */
export function createPersonalAccessTokens({ db, clock }: PatDeps): PersonalAccessTokens {
  return {
    async issue({ userId, expiresAt, metadata }) {
      const token = randomUUID();
      const { id } = await db
        .insertInto('auth.personal_access_tokens')
        .values({
          user_id: userId,
          token_hash: hashOf(token),
          metadata: metadata === null ? null : JSON.stringify(metadata),
          expires_at: expiresAt,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      return { id, token };
    },
    async use(token) {
      const now = new Date(clock.now());
      const row = await db
        .updateTable('auth.personal_access_tokens')
        .set({ last_used_at: now })
        .where('token_hash', '=', hashOf(token))
        .where('expires_at', '>', now)
        .returning(['id', 'user_id'])
        .executeTakeFirst();
      return row && { id: row.id, userId: row.user_id };
    },
    async bind(id, sessionId) {
      const bound = await db
        .updateTable('auth.refresh_tokens')
        .from('auth.personal_access_tokens as pat')
        .set({
          personal_access_token_id: sql<string>`pat.id`,
          expires_at: sql<Date>`least(auth.refresh_tokens.expires_at, pat.expires_at)`,
        })
        .where('auth.refresh_tokens.id', '=', sessionId)
        .where('pat.id', '=', id)
        .executeTakeFirstOrThrow();
      return bound.numUpdatedRows > 0n;
    },
    ofUser: (userId) =>
      db
        .selectFrom('auth.personal_access_tokens')
        .select(['id', 'user_id', 'metadata', 'created_at', 'last_used_at', 'expires_at'])
        .where('user_id', '=', userId)
        .where('expires_at', '>', new Date(clock.now()))
        .orderBy('created_at', 'desc')
        .execute(),
    async revoke(userId, id) {
      const { numDeletedRows } = await db
        .deleteFrom('auth.personal_access_tokens')
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow();
      return numDeletedRows > 0n;
    },
    async revokeAll(userId) {
      await db.deleteFrom('auth.personal_access_tokens').where('user_id', '=', userId).execute();
    },
  };
}

/** Case-insensitive, because clients send UUIDs in either case. */
function hashOf(token: string): Buffer {
  return createHash('sha256').update(token.toLowerCase()).digest();
}
