import { hash } from 'node:crypto';
import { type ExpressionBuilder, type Selectable, sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { InvitationsTable, Schema } from '../../db/schema.ts';
import { Secret } from '../../secrets/secret.ts';
import type { UsableInvitation } from './sign-up-rule.ts';

export type InvitationRow = Pick<
  Selectable<InvitationsTable>,
  'id' | 'email' | 'created_at' | 'expires_at' | 'accepted_by' | 'revoked_at'
>;

/** The tokens of the two links. Only their hashes are stored. */
export type IssuedInvitation = { row: InvitationRow; copiedToken: Secret; mailedToken: Secret };

export type RandomBytes = (count: number) => Uint8Array;

const LIFETIME = '7 days';
const TOKEN_BYTES = 32;
const COLUMNS = ['id', 'email', 'created_at', 'expires_at', 'accepted_by', 'revoked_at'] as const;

/** Invites an address. An earlier invitation that was neither used nor revoked gets new links: its old ones stop working. */
export async function issueInvitation(
  db: Database,
  email: string,
  randomBytes: RandomBytes,
): Promise<IssuedInvitation> {
  const [copiedToken, mailedToken] = [newToken(randomBytes), newToken(randomBytes)];
  const values = {
    copied_token_hash: hashOf(copiedToken),
    mailed_token_hash: hashOf(mailedToken),
    expires_at: sql<Date>`now() + ${sql.lit(LIFETIME)}::interval`,
  };
  const row = await db
    .insertInto('auth.invitations')
    .values({ email, ...values })
    .onConflict((conflict) =>
      conflict
        .column('email')
        .where('accepted_by', 'is', null)
        .where('revoked_at', 'is', null)
        .doUpdateSet(values),
    )
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
  return { row, copiedToken, mailedToken };
}

/** The invitation of a token, or else of an address. Locked until the transaction ends, so that it is used once. */
export async function findUsableInvitation(
  db: Database,
  by: { token: Secret } | { email: string },
): Promise<UsableInvitation | undefined> {
  const tokenHash = 'token' in by ? hashOf(by.token) : undefined;
  const query = db
    .selectFrom('auth.invitations')
    .select(['id', 'email', 'mailed_token_hash'])
    .where('accepted_by', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .where('email' in by ? hasEmail(by.email) : hasToken(tokenHash))
    .forUpdate();
  const found = await query.executeTakeFirst();
  if (found === undefined) return undefined;
  const isMailed = tokenHash !== undefined && found.mailed_token_hash?.equals(tokenHash) === true;
  return { id: found.id, email: found.email, isMailed };
}

type Where = ExpressionBuilder<Schema, 'auth.invitations'>;

const hasEmail = (email: string) => (where: Where) => where('email', '=', email);

const hasToken = (tokenHash: Buffer | undefined) => (where: Where) =>
  where.or([
    where('copied_token_hash', '=', tokenHash ?? null),
    where('mailed_token_hash', '=', tokenHash ?? null),
  ]);

export async function acceptInvitation(db: Database, id: string, userId: string): Promise<void> {
  await db
    .updateTable('auth.invitations')
    .set({ accepted_by: userId })
    .where('id', '=', id)
    .execute();
}

/** Undefined if there is no such invitation, or if it was used or revoked before. */
export async function revokeInvitation(
  db: Database,
  id: string,
): Promise<InvitationRow | undefined> {
  return await db
    .updateTable('auth.invitations')
    .set({ revoked_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('accepted_by', 'is', null)
    .where('revoked_at', 'is', null)
    .returning(COLUMNS)
    .executeTakeFirst();
}

/** Newest first. */
export async function listInvitations(db: Database, limit: number): Promise<InvitationRow[]> {
  return await db
    .selectFrom('auth.invitations')
    .select(COLUMNS)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute();
}

function newToken(randomBytes: RandomBytes): Secret {
  return new Secret(Buffer.from(randomBytes(TOKEN_BYTES)).toString('base64url'));
}

function hashOf(token: Secret): Buffer {
  return hash('sha256', token.reveal(), 'buffer');
}
