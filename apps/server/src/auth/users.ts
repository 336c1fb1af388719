import type { User } from '@longshore/contract';
import { type Selectable, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import type { UsersTable } from '../db/schema.ts';

export type UserRow = Selectable<UsersTable>;

export type NewUser = {
  /** Given when it was told to a security key before the user existed. */
  id?: string;
  email: string;
  /** Null: the user signs in by other means. */
  passwordHash: string | null;
  displayName: string;
  locale: string;
  metadata: Record<string, unknown> | null;
};

export type Users = {
  /** Answers nothing when the address is taken. */
  insert(user: NewUser): Promise<UserRow | undefined>;
  findByEmail(email: string): Promise<UserRow | undefined>;
  findById(id: string): Promise<UserRow | undefined>;
};

export function createUsers(db: Database): Users {
  return {
    insert: ({ id, email, passwordHash, displayName, locale, metadata }) =>
      db
        .insertInto('auth.users')
        .values({
          ...(id === undefined ? {} : { id }),
          email,
          password_hash: passwordHash,
          display_name: displayName,
          avatar_url: '',
          locale,
          metadata: metadata === null ? null : sql`${JSON.stringify(metadata)}::jsonb`,
        })
        .onConflict((conflict) => conflict.column('email').doNothing())
        .returningAll()
        .executeTakeFirst(),
    findByEmail: (email) =>
      db.selectFrom('auth.users').selectAll().where('email', '=', email).executeTakeFirst(),
    findById: (id) =>
      db.selectFrom('auth.users').selectAll().where('id', '=', id).executeTakeFirst(),
  };
}

/** The user as the public clients read it; an absent address has no key. */
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
