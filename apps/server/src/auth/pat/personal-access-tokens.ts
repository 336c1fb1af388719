import { createHash, randomUUID } from 'node:crypto';
import type { Database } from '../../db/database.ts';

export type NewPat = {
  userId: string;
  expiresAt: Date;
  metadata: Record<string, unknown> | null;
};

export type PersonalAccessTokens = {
  /** The token's value is told once, here. */
  issue(pat: NewPat): Promise<{ id: string; token: string }>;
  /** Whose token it is; nothing when it is not good (any more). */
  use(token: string): Promise<{ id: string; userId: string } | undefined>;
  revokeAll(userId: string): Promise<void>;
};

type PatDeps = { db: Database; clock: { now(): number } };

/** Only hashes are stored. */
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
    async revokeAll(userId) {
      await db.deleteFrom('auth.personal_access_tokens').where('user_id', '=', userId).execute();
    },
  };
}

/** The clients write UUIDs in either case. */
function hashOf(token: string): Buffer {
  return createHash('sha256').update(token.toLowerCase()).digest();
}
