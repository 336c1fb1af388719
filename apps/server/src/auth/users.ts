import type { User } from '@longshore/contract';
import { type Selectable, sql, type Updateable } from 'kysely';
import type { Database } from '../db/database.ts';
import type { RefreshTokensTable, UsersTable } from '../db/schema.ts';
import type { SessionProof } from './proof/proof-rules.ts';
import type { Admission, SignUpPolicy, SignUpRequest } from './sign-up/sign-up-policy.ts';

const UNIQUE_VIOLATION = '23505';

export type UserRow = Selectable<UsersTable>;

export type NewUser = {
  /** Set if a security key was created for this id before the user existed. */
  id?: string;
  /** Null: the user has a phone number, or is anonymous. */
  email: string | null;
  phoneNumber?: string;
  isAnonymous?: boolean;
  /** Null: the user signs in without a password. */
  passwordHash: string | null;
  displayName: string;
  locale: string;
  metadata: Record<string, unknown> | null;
  /** Undefined: the default of the database. */
  roles?: string[] | undefined;
  defaultRole?: string | undefined;
  emailVerified?: boolean;
  avatarUrl?: string;
};

export type SignUpPermission = Pick<SignUpRequest, 'setupCode' | 'invitation'>;

/** A user with the session that a request was sent in. */
export type SessionUser = { user: UserRow; session: SessionProof & { id: string } };

type TokenSession = { userId: string; sessionId: string | undefined };

export type Users = {
  /** The same store inside a transaction. */
  within(transaction: Database): Users;
  /** The only way to create a user. Returns undefined if the e-mail address or the phone number is taken. */
  insert(user: NewUser, permission?: SignUpPermission): Promise<UserRow | undefined>;
  findByEmail(email: string): Promise<UserRow | undefined>;
  findByPhoneNumber(phoneNumber: string): Promise<UserRow | undefined>;
  findById(id: string): Promise<UserRow | undefined>;
  /** The user of an access token. Undefined if the session that the token was issued for has ended. */
  findBySession(session: TokenSession): Promise<SessionUser | undefined>;
  setPassword(id: string, passwordHash: string): Promise<void>;
  setEmailVerified(id: string): Promise<void>;
  setPhoneNumberVerified(id: string): Promise<void>;
  setNewEmail(id: string, newEmail: string): Promise<void>;
  /** Replaces the address with the pending one. Returns false if it is no longer pending, or another user has it. */
  confirmNewEmail(id: string, newEmail: string | null): Promise<boolean>;
};

const ANONYMOUS = { is_anonymous: true, default_role: 'anonymous', roles: ['anonymous'] };

export function createUsers(db: Database, signUpPolicy: SignUpPolicy): Users {
  return {
    within: (transaction) => createUsers(transaction, signUpPolicy),
    insert: (user, permission = {}) =>
      signUpPolicy.createUser(db, { ...signUpOf(user), ...permission }, (database, admission) =>
        insertUser(database, user, admission),
      ),
    findByEmail: (email) =>
      db.selectFrom('auth.users').selectAll().where('email', '=', email).executeTakeFirst(),
    findByPhoneNumber: (phoneNumber) =>
      db
        .selectFrom('auth.users')
        .selectAll()
        .where('phone_number', '=', phoneNumber)
        .executeTakeFirst(),
    findById: (id) =>
      db.selectFrom('auth.users').selectAll().where('id', '=', id).executeTakeFirst(),
    async findBySession({ userId, sessionId }) {
      if (sessionId === undefined) return undefined;
      const found = await db
        .selectFrom('auth.users')
        .innerJoin('auth.refresh_tokens as session', 'session.user_id', 'auth.users.id')
        .selectAll('auth.users')
        .select(['session.proved_at', 'session.proved_by', 'session.personal_access_token_id'])
        .where('auth.users.id', '=', userId)
        .where('session.id', '=', sessionId)
        .where('session.expires_at', '>', sql<Date>`now()`)
        .executeTakeFirst();
      return found && toSessionUser(found, sessionId);
    },
    setPassword: (id, passwordHash) => update(id, { password_hash: passwordHash }),
    setEmailVerified: (id) => update(id, { email_verified: true }),
    setPhoneNumberVerified: (id) => update(id, { phone_number_verified: true }),
    setNewEmail: (id, newEmail) => update(id, { new_email: newEmail }),
    async confirmNewEmail(id, newEmail) {
      const changed = await db
        .updateTable('auth.users')
        .set({ email: newEmail, new_email: null, email_verified: true })
        .where('id', '=', id)
        .where('new_email', '=', newEmail)
        .executeTakeFirst()
        .catch(undefinedIfTaken);
      return changed !== undefined && changed.numUpdatedRows > 0n;
    },
  };

  async function update(id: string, values: Updateable<UsersTable>): Promise<void> {
    await db.updateTable('auth.users').set(values).where('id', '=', id).execute();
  }
}

type SessionColumns = Pick<
  Selectable<RefreshTokensTable>,
  'proved_at' | 'proved_by' | 'personal_access_token_id'
>;

function toSessionUser(row: UserRow & SessionColumns, sessionId: string): SessionUser {
  const { proved_at: provedAt, proved_by: provedBy, personal_access_token_id: pat, ...user } = row;
  const isFromPersonalAccessToken = pat !== null;
  return { user, session: { id: sessionId, provedAt, provedBy, isFromPersonalAccessToken } };
}

function signUpOf({ email, isAnonymous = false, emailVerified = false }: NewUser): SignUpRequest {
  return { email, isAnonymous, isEmailVerified: emailVerified };
}

async function insertUser(
  db: Database,
  user: NewUser,
  { isEmailProved, mustVerifyEmail }: Admission,
): Promise<UserRow | undefined> {
  const { id, email, phoneNumber, isAnonymous, passwordHash, displayName, locale, ...rest } = user;
  const { metadata } = rest;
  return await db
    .insertInto('auth.users')
    .values({
      ...(id === undefined ? {} : { id }),
      email,
      phone_number: phoneNumber ?? null,
      ...(isAnonymous ? ANONYMOUS : {}),
      password_hash: passwordHash,
      display_name: displayName,
      avatar_url: rest.avatarUrl ?? '',
      locale,
      metadata: metadata === null ? null : sql`${JSON.stringify(metadata)}::jsonb`,
      ...(rest.roles && { roles: rest.roles }),
      ...(rest.defaultRole && { default_role: rest.defaultRole }),
      email_verified: isEmailProved || (rest.emailVerified ?? false),
      must_verify_email: mustVerifyEmail,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** For unique violations: two users can confirm the same address at once, and only one of them gets it. */
export function undefinedIfTaken(error: { code?: string }): undefined {
  if (error.code !== UNIQUE_VIOLATION) throw error;
}

/** The format that nhost-js expects. An absent address or phone number has no key. */
export function toUser(row: UserRow): User {
  return {
    id: row.id,
    createdAt: row.created_at.toISOString(),
    displayName: row.display_name,
    avatarUrl: row.avatar_url,
    locale: row.locale,
    ...(row.email === null ? {} : { email: row.email }),
    emailVerified: row.email_verified,
    isAnonymous: row.is_anonymous,
    defaultRole: row.default_role,
    roles: [...new Set([...row.roles, row.default_role])],
    metadata: row.metadata as Record<string, unknown> | null,
    ...(row.phone_number === null ? {} : { phoneNumber: row.phone_number }),
    phoneNumberVerified: row.phone_number_verified,
  };
}
