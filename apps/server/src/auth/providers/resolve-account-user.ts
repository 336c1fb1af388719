import type { Context } from 'hono';
import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import { AuthProblem } from '../auth-problem.ts';
import type { AuthDeps } from '../deps.ts';
import { resetUnverifiedUser } from '../reset-unverified-user.ts';
import { type SignInEffects, verifiedUser } from '../sign-in-effects.ts';
import { assertCanSignIn } from '../sign-in-problem.ts';
import { type SignUpOptions, signUpFields } from '../sign-up-options.ts';
import type { UserRow, Users } from '../users.ts';
import { findLinkedUser, insertLink } from './account-links.ts';
import type { Profile } from './profile.ts';
import type { ProviderName } from './provider.ts';

type AccountSignIn = { provider: ProviderName; profile: Profile; options: SignUpOptions };
type ResolvedUser = {
  user: UserRow;
  origin: 'existing-link' | 'new-link' | 'new-user' | 'pending-link';
};

/**
 * The user who signs in with a provider account: the one it is linked to, the one with the same verified e-mail
 * address, or a new one. Throws if that user may not sign in. The account is not linked to a user with a second factor
 * before the code: somebody who reads the user's mail can create such an account.
 */
export async function resolveAccountUser(
  context: Context,
  deps: AuthDeps,
  signIn: AccountSignIn,
): Promise<{ user: UserRow; effects: SignInEffects }> {
  const { user, origin, effects } = await deps.db.transaction().execute(async (transaction) => {
    const users = deps.users.within(transaction);
    const resolved = await findLinkOrCreate(transaction, users, signIn);
    const effects = resolved.origin === 'pending-link' ? accountEffects(signIn) : {};
    assertCanSignIn(verifiedUser(resolved.user, effects), deps.settings);
    return { ...resolved, effects };
  });
  const event = { userId: user.id, details: { provider: signIn.provider } };
  if (origin === 'new-user') await deps.audit(context, { kind: 'signed-up', ...event });
  if (origin === 'new-link') await deps.audit(context, { kind: 'provider-linked', ...event });
  return { user, effects };
}

function accountEffects({ provider, profile }: AccountSignIn): SignInEffects {
  return { verified: 'email', account: { provider, accountId: profile.accountId } };
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
  // An existing user signs in also where nobody may sign up.
  const isTaken =
    profile.email !== undefined && (await users.findByEmail(profile.email)) !== undefined;
  const created = isTaken
    ? undefined
    : await users.insert({
        ...signUpFields(options, profile.displayName ?? profile.email ?? provider),
        email: profile.email ?? null,
        emailVerified: profile.email !== undefined && profile.isEmailVerified,
        avatarUrl: profile.avatarUrl,
        passwordHash: null,
      });
  const user = created ?? (await userWithEmail(db, users, profile));
  if (user.active_mfa_type !== null) return { user, origin: 'pending-link' };
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
  return await resetUnverifiedUser(db, user);
}
