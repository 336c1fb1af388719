import { createHash, createHmac, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import type { Secret } from '../secrets/secret.ts';

export type IssuedRefreshToken = { id: string; token: string; userId: string };

export type RefreshTokens = {
  issue(userId: string): Promise<IssuedRefreshToken>;
  /** Trades a token for its successor. Answers nothing for a token that is not good (any more). */
  rotate(token: string): Promise<IssuedRefreshToken | undefined>;
  revoke(token: string): Promise<void>;
  revokeAll(userId: string): Promise<void>;
};

const LIFETIME = sql<Date>`now() + interval '30 days'`;
const GRACE_SECONDS = 60;

/**
 * Only hashes are stored. The successor of a token is derived from it with a key of ours, so that two tabs
 * which refresh at the same moment both get the same successor, for a minute. After that minute the use of an
 * old token means it was stolen, and ends the session.
 */
export function createRefreshTokens(db: Database, key: Secret): RefreshTokens {
  return {
    async issue(userId) {
      const token = randomUUID();
      const { id } = await db
        .insertInto('auth.refresh_tokens')
        .values({
          user_id: userId,
          token_hash: hashOf(token),
          previous_hash: null,
          rotated_at: null,
          expires_at: LIFETIME,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      return { id, token, userId };
    },
    async rotate(token) {
      const successor = successorOf(token, key);
      const rotated = await db
        .updateTable('auth.refresh_tokens')
        .set({
          token_hash: hashOf(successor),
          previous_hash: hashOf(token),
          rotated_at: sql<Date>`now()`,
          expires_at: LIFETIME,
        })
        .where('token_hash', '=', hashOf(token))
        .where('expires_at', '>', sql<Date>`now()`)
        .returning(['id', 'user_id'])
        .executeTakeFirst();
      if (rotated !== undefined)
        return { id: rotated.id, token: successor, userId: rotated.user_id };
      return await withinGrace(token, successor);
    },
    async revoke(token) {
      await db
        .deleteFrom('auth.refresh_tokens')
        .where((or) => or('token_hash', '=', hashOf(token)).or('previous_hash', '=', hashOf(token)))
        .execute();
    },
    async revokeAll(userId) {
      await db.deleteFrom('auth.refresh_tokens').where('user_id', '=', userId).execute();
    },
  };

  async function withinGrace(
    token: string,
    successor: string,
  ): Promise<IssuedRefreshToken | undefined> {
    const session = await db
      .selectFrom('auth.refresh_tokens')
      .select(['id', 'user_id'])
      .select(
        sql<boolean>`rotated_at > now() - make_interval(secs => ${GRACE_SECONDS})`.as('is_fresh'),
      )
      .where('previous_hash', '=', hashOf(token))
      .executeTakeFirst();
    if (session === undefined) return undefined;
    if (session.is_fresh) return { id: session.id, token: successor, userId: session.user_id };
    await db.deleteFrom('auth.refresh_tokens').where('id', '=', session.id).execute();
    return undefined;
  }
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** The public clients expect the form of a version 4 UUID. */
function successorOf(token: string, key: Secret): string {
  const bytes = createHmac('sha256', key.reveal()).update(token).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [8, 12, 16, 20].reduceRight((text, at) => `${text.slice(0, at)}-${text.slice(at)}`, hex);
}
