import { createHmac, hash, randomUUID, timingSafeEqual } from 'node:crypto';
import { CompiledQuery, sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { Client } from '../../http/client.ts';
import type { Secret } from '../../secrets/secret.ts';
import type { ProofMethod } from '../proof/proof-rules.ts';
import type { UserRow } from '../users.ts';
import { classifySpentToken } from './classify-spent-token.ts';

export type IssuedRefreshToken = { id: string; token: string; userId: string };

export type NewSession = {
  user: Pick<UserRow, 'id' | 'active_mfa_type' | 'password_hash'>;
  client: Client;
  provedBy: ProofMethod;
  provedAt: Date;
};

export type Rotation =
  | { kind: 'rotated'; refreshToken: IssuedRefreshToken; user: UserRow }
  /** A spent token was reused: it or its successor was stolen. The session has been ended. */
  | { kind: 'reused'; userId: string; sessionId: string }
  | { kind: 'unknown' };

export type RefreshTokens = {
  /** Undefined if the user was disabled, or changed the password or the second factor, since the row was read. */
  issue(session: NewSession): Promise<IssuedRefreshToken | undefined>;
  /** Exchanges a token for its successor. That proves nothing about the user: a stolen token can be exchanged too. */
  rotate(token: string, client: Client): Promise<Rotation>;
  /** Records that the user of a session has proved their identity again. */
  recordProof(sessionId: string, proof: Pick<NewSession, 'provedBy' | 'provedAt'>): Promise<void>;
  /** Ends the session of a token and returns the user's id. */
  revoke(token: string): Promise<string | undefined>;
  revokeAll(userId: string): Promise<void>;
  /** Ends all sessions of the user except one; all of them if `sessionId` is undefined. */
  revokeOthers(userId: string, sessionId: string | undefined): Promise<void>;
  /** The same, but keeps the sessions of personal access tokens. */
  revokeOtherSignIns(userId: string, sessionId: string | undefined): Promise<void>;
  /** Ends one session of a user. Returns false if it does not exist. */
  revokeSession(userId: string, sessionId: string): Promise<boolean>;
};

const LIFETIME = '30 days';

/**
 * Raw SQL because this is the most frequent query: building it would take as long as running it. The session of a personal
 * access token ends with the token.
 */
const ROTATE = `
  with rotated as (
    update auth.refresh_tokens as session
    set token_hash = $2, last_used_at = now(), user_agent = $3, address = $4,
      expires_at = case when personal_access_token_id is null then now() + interval '${LIFETIME}'
        else least(now() + interval '${LIFETIME}', (
          select expires_at from auth.personal_access_tokens where id = personal_access_token_id
        )) end
    from auth.users
    where users.id = session.user_id and session.token_hash = $1 and session.expires_at > now()
    returning session.id as session_id, users.*
  ), spent as (
    insert into auth.spent_refresh_tokens (token_hash, session_id)
    select $1, session_id from rotated
  )
  select * from rotated`;

/**
 * The database holds only hashes. The successor of a token is derived from it with a secret key, so that two tabs that
 * refresh at the same time get the same successor, and a lost response can be repeated.
 */
export function createRefreshTokens(db: Database, key: Secret): RefreshTokens {
  return {
    async issue({ user, client, provedBy, provedAt }) {
      const token = randomUUID();
      const { rows } = await sql<{ id: string }>`
        insert into auth.refresh_tokens
          (user_id, token_hash, expires_at, user_agent, address, proved_by, proved_at)
        select id, ${hashOfToken(token)}, now() + ${sql.lit(LIFETIME)}::interval,
          ${client.userAgent ?? null}, ${client.address ?? null}, ${provedBy}, ${provedAt}
        from auth.users
        where id = ${user.id} and not disabled
          and active_mfa_type is not distinct from ${user.active_mfa_type}
          and password_hash is not distinct from ${user.password_hash}
        -- Waits for a running change of the user and then compares with the new row.
        for share
        returning id`.execute(db);
      const [issued] = rows;
      return issued && { id: issued.id, token, userId: user.id };
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
      if (rotated === undefined) return await rotateSpent(token);
      const { session_id: id, id: userId } = rotated;
      return { kind: 'rotated', user: rotated, refreshToken: { id, token: successor, userId } };
    },
    async recordProof(sessionId, { provedBy, provedAt }) {
      await db
        .updateTable('auth.refresh_tokens')
        .set({ proved_by: provedBy, proved_at: provedAt })
        .where('id', '=', sessionId)
        .execute();
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
      await othersOf(userId, sessionId).execute();
    },
    async revokeOtherSignIns(userId, sessionId) {
      await othersOf(userId, sessionId).where('personal_access_token_id', 'is', null).execute();
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

  function othersOf(userId: string, sessionId: string | undefined) {
    const sessions = db.deleteFrom('auth.refresh_tokens').where('user_id', '=', userId);
    return sessionId === undefined ? sessions : sessions.where('id', '!=', sessionId);
  }

  /** For a token that is not the current one of a session. */
  async function rotateSpent(token: string): Promise<Rotation> {
    const found = await findBySpent(token);
    if (found === undefined) return { kind: 'unknown' };
    const { session_id: id, current_hash, spent_seconds_ago, ...user } = found;
    const use = classifySpentToken({
      token,
      spentSecondsAgo: spent_seconds_ago,
      isCurrent: (candidate) => timingSafeEqual(hashOfToken(candidate), current_hash),
      successorOf: (earlier) => successorOf(earlier, key),
    });
    if (use.kind === 'legitimate') {
      const refreshToken = { id, token: use.current, userId: user.id };
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

function hashOfToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

/** Deterministic. nhost-js expects the format of a version 4 UUID. */
function successorOf(token: string, key: Secret): string {
  const bytes = createHmac('sha256', key.reveal()).update(token).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [8, 12, 16, 20].reduceRight((text, at) => `${text.slice(0, at)}-${text.slice(at)}`, hex);
}
