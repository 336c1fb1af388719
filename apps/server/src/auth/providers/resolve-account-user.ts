import type { Context } from 'hono';
import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import { AuthProblem } from '../auth-problem.ts';
import type { AuthDeps } from '../deps.ts';
import { resetUnverifiedUser } from '../reset-unverified-user.ts';
import { assertCanSignIn } from '../sign-in-problem.ts';
import { type SignUpOptions, signUpFields } from '../sign-up-options.ts';
import type { UserRow, Users } from '../users.ts';
import { findLinkedUser, insertLink } from './account-links.ts';
import type { Profile } from './profile.ts';
import type { ProviderName } from './provider.ts';

type AccountSignIn = { provider: ProviderName; profile: Profile; options: SignUpOptions };
type ResolvedUser = { user: UserRow; origin: 'existing-link' | 'new-link' | 'new-user' };

/**
 * The user who signs in with a provider account: the one it is linked to, the one with the same verified e-mail
 * address, or a new one. Throws if that user may not sign in.
 */
export async function resolveAccountUser(
  context: Context,
  deps: AuthDeps,
  signIn: AccountSignIn,
): Promise<UserRow> {
  const { user, origin } = await deps.db.transaction().execute(async (transaction) => {
    const users = deps.users.within(transaction);
    const resolved = await findLinkOrCreate(transaction, users, signIn);
    assertCanSignIn(resolved.user, deps.settings);
    return resolved;
  });
  const event = { userId: user.id, details: { provider: signIn.provider } };
  if (origin === 'new-user') await deps.audit(context, { kind: 'signed-up', ...event });
  if (origin === 'new-link') await deps.audit(context, { kind: 'provider-linked', ...event });
  return user;
}

async function findLinkOrCreate(
  db: Database,
  users: Users,
  { provider, profile, options }: AccountSignIn,
): Promise<ResolvedUser> {
  // Serializes simultaneous first sign-ins of one account, so that they create one user.
  const account = `${provider}:${profile.accountId}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${account}, 0))`.execute(db);
  const linked = await findLinkedUser(db, { provider, accountId: profile.accountId });
  if (linked !== undefined) return { user: linked, origin: 'existing-link' };
  const created = await users.insert({
    ...signUpFields(options, profile.displayName ?? profile.email ?? provider),
    email: profile.email ?? null,
    emailVerified: profile.email !== undefined && profile.isEmailVerified,
    avatarUrl: profile.avatarUrl,
    passwordHash: null,
  });
  const user = created ?? (await userWithEmail(db, users, profile));
  await insertLink(db, { provider, accountId: profile.accountId, userId: user.id });
  return { user, origin: created === undefined ? 'new-link' : 'new-user' };
}

/** The existing user with the profile's address, if the provider has verified it. */
async function userWithEmail(
  db: Database,
  users: Users,
  { email, isEmailVerified }: Profile,
): Promise<UserRow> {
  const user = await users.findByEmail(email ?? '');
  if (user === undefined || !isEmailVerified) throw new AuthProblem('unverified-user');
  return user.email_verified ? user : await resetUnverifiedUser(db, user.id);
}
