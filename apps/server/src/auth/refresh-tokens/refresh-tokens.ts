import { randomUUID, timingSafeEqual } from 'node:crypto';
import { CompiledQuery, sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { Client } from '../../http/client.ts';
import type { Secret } from '../../secrets/secret.ts';
import type { UserRow } from '../users.ts';
import { classifySpentToken } from './classify-spent-token.ts';
import { hashOfToken, successorOf } from './token-values.ts';

export type IssuedRefreshToken = { id: string; token: string; userId: string };

export type Rotation =
  | { kind: 'rotated'; refreshToken: IssuedRefreshToken; user: UserRow }
  /** A spent token came back: it was stolen, or its successor was. The session has ended. */
  | { kind: 'reused'; userId: string; sessionId: string }
  | { kind: 'unknown' };

export type RefreshTokens = {
  issue(userId: string, client: Client): Promise<IssuedRefreshToken>;
  /** Trades a token for its successor. */
  rotate(token: string, client: Client): Promise<Rotation>;
  /** Ends the session that a token belongs to, and says whose it was. */
  revoke(token: string): Promise<string | undefined>;
  revokeAll(userId: string): Promise<void>;
  /** Ends the user's sessions but one; without one to keep, all of them. */
  revokeOthers(userId: string, sessionId: string | undefined): Promise<void>;
  /** Ends one session of a user; says whether there was one. */
  revokeSession(userId: string, sessionId: string): Promise<boolean>;
};

const LIFETIME = '30 days';

/** Written out, for it is asked most: building it would cost as much as running it. */
const ROTATE = `
  with rotated as (
    update auth.refresh_tokens as session
    set token_hash = $2, last_used_at = now(), expires_at = now() + interval '${LIFETIME}',
      user_agent = $3, address = $4
    from auth.users
    where users.id = session.user_id and session.token_hash = $1 and session.expires_at > now()
    returning session.id as session_id, users.*
  ), spent as (
    insert into auth.spent_refresh_tokens (token_hash, session_id)
    select $1, session_id from rotated
  )
  select * from rotated`;

/**
 * Only hashes are stored. The successor of a token is derived from it with a key of ours, so that two tabs
 * which refresh at the same moment both get the same successor, and an answer that was lost can be given again.
 */
export function createRefreshTokens(db: Database, key: Secret): RefreshTokens {
  return {
    async issue(userId, client) {
      const token = randomUUID();
      const { id } = await db
        .insertInto('auth.refresh_tokens')
        .values({
          user_id: userId,
          token_hash: hashOfToken(token),
          expires_at: sql<Date>`now() + ${sql.lit(LIFETIME)}::interval`,
          user_agent: client.userAgent ?? null,
          address: client.address ?? null,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      return { id, token, userId };
    },
    async rotate(token, client) {
      const successor = successorOf(token, key);
      const { rows } = await db.executeQuery<UserRow & { session_id: string }>(
        CompiledQuery.raw(ROTATE, [
          hashOfToken(token),
          hashOfToken(successor),
          client.userAgent ?? null,
          client.address ?? null,
        ]),
      );
      const [rotated] = rows;
      if (rotated === undefined) return await answerAgain(token);
      const { session_id: id, id: userId } = rotated;
      return { kind: 'rotated', user: rotated, refreshToken: { id, token: successor, userId } };
    },
    async revoke(token) {
      const ended = await db
        .deleteFrom('auth.refresh_tokens')
        .where((where) =>
          where.or([
            where('token_hash', '=', hashOfToken(token)),
            where(
              'id',
              'in',
              where
                .selectFrom('auth.spent_refresh_tokens')
                .select('session_id')
                .where('token_hash', '=', hashOfToken(token)),
            ),
          ]),
        )
        .returning('user_id')
        .executeTakeFirst();
      return ended?.user_id;
    },
    async revokeAll(userId) {
      await db.deleteFrom('auth.refresh_tokens').where('user_id', '=', userId).execute();
    },
    async revokeOthers(userId, sessionId) {
      const theirs = db.deleteFrom('auth.refresh_tokens').where('user_id', '=', userId);
      await (sessionId === undefined ? theirs : theirs.where('id', '!=', sessionId)).execute();
    },
    async revokeSession(userId, sessionId) {
      const { numDeletedRows } = await db
        .deleteFrom('auth.refresh_tokens')
        .where('id', '=', sessionId)
        .where('user_id', '=', userId)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },
  };

  /** For a token that is not the current one of a session that goes on. */
  async function answerAgain(token: string): Promise<Rotation> {
    const found = await findBySpent(token);
    if (found === undefined) return { kind: 'unknown' };
    const { session_id: id, current_hash, spent_seconds_ago, ...user } = found;
    const judgement = classifySpentToken({
      token,
      spentSecondsAgo: spent_seconds_ago,
      isCurrent: (candidate) => timingSafeEqual(hashOfToken(candidate), current_hash),
      successorOf: (earlier) => successorOf(earlier, key),
    });
    if (judgement.kind === 'good') {
      const refreshToken = { id, token: judgement.current, userId: user.id };
      return { kind: 'rotated', user, refreshToken };
    }
    await db.deleteFrom('auth.refresh_tokens').where('id', '=', id).execute();
    return { kind: 'reused', userId: user.id, sessionId: id };
  }

  /** The session that a spent token belongs to. */
  async function findBySpent(token: string) {
    return await db
      .selectFrom('auth.refresh_tokens as session')
      .innerJoin('auth.users as user', 'user.id', 'session.user_id')
      .innerJoin('auth.spent_refresh_tokens as spent', 'spent.session_id', 'session.id')
      .selectAll('user')
      .select(['session.id as session_id', 'session.token_hash as current_hash'])
      .select(
        sql<number>`extract(epoch from now() - spent.spent_at)::float8`.as('spent_seconds_ago'),
      )
      .where('spent.token_hash', '=', hashOfToken(token))
      .where('session.expires_at', '>', sql<Date>`now()`)
      .executeTakeFirst();
  }
}
