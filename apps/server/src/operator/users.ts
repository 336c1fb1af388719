import type { OperatedUser, Usage, UserPage } from '@longshore/contract';
import { sql } from 'kysely';
import type { Quota } from '../apps/quota.ts';
import { readQuotaOverride } from '../apps/quota-overrides.ts';
import type { UserRow } from '../auth/users.ts';
import type { Database } from '../db/database.ts';

type UserListDeps = {
  db: Database;
  usageOf(userId: string, signal: AbortSignal): Promise<Record<keyof Quota, Usage>>;
};

const PAGE_SIZE = 20;
const MAX_SEARCH_LENGTH = 254;
const USAGE_TIMEOUT_MS = 5_000;

/** One page of the users, newest first. `search` is a part of the email address, the phone number or the name. */
export async function listUsers(
  { search, page }: { search: string; page: number },
  { db, usageOf }: UserListDeps,
): Promise<UserPage> {
  const pattern = `%${escaped(search.trim().toLowerCase().slice(0, MAX_SEARCH_LENGTH))}%`;
  const found = db
    .selectFrom('auth.users')
    .where((where) =>
      where.or([
        where('email', 'like', pattern),
        where('phone_number', 'like', pattern),
        where(sql`lower(display_name)`, 'like', pattern),
      ]),
    );
  const { total } = await found
    .select(sql<number>`count(*)::int`.as('total'))
    .executeTakeFirstOrThrow();
  const rows = await found
    .selectAll('auth.users')
    .select(({ selectFrom }) =>
      selectFrom('auth.events')
        .select(sql<Date>`max(at)`.as('at'))
        .whereRef('auth.events.user_id', '=', 'auth.users.id')
        .where('kind', 'in', ['signed-up', 'signed-in', 'signed-in-with-recovery-code'])
        .as('last_sign_in_at'),
    )
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('auth.security_keys')
          .select('id')
          .whereRef('auth.security_keys.user_id', '=', 'auth.users.id'),
      ).as('has_key'),
    )
    .orderBy('auth.users.created_at', 'desc')
    .orderBy('auth.users.id', 'desc')
    .limit(PAGE_SIZE)
    .offset(page * PAGE_SIZE)
    .execute();
  const signal = AbortSignal.timeout(USAGE_TIMEOUT_MS);
  const users = await Promise.all(
    rows.map(async (row): Promise<OperatedUser> => {
      const [quotas, usage] = await Promise.all([
        readQuotaOverride(db, row.id),
        usageOf(row.id, signal),
      ]);
      return {
        id: row.id,
        name: row.email ?? row.phone_number,
        createdAt: row.created_at.toISOString(),
        lastSignInAt: row.last_sign_in_at?.toISOString() ?? null,
        isVerified: row.email === null ? row.phone_number_verified : row.email_verified,
        hasSecondFactor: row.active_mfa_type !== null || Boolean(row.has_key),
        role: roleOf(row),
        isDisabled: row.disabled,
        quotas,
        usage,
      };
    }),
  );
  return { users, total, pageSize: PAGE_SIZE };
}

/** The user in the audit log. */
export function nameOf({ id, email, phone_number: phoneNumber }: UserRow): string {
  return email ?? phoneNumber ?? id;
}

function roleOf({ is_anonymous, is_operator }: UserRow): OperatedUser['role'] {
  if (is_anonymous) return 'anonymous';
  return is_operator ? 'operator' : 'user';
}

function escaped(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
