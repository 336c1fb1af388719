import type { Context } from 'hono';
import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import { AuthProblem } from '../auth-problem.ts';
import type { AuthDeps } from '../deps.ts';
import { forgetUnproven } from '../forget-unproven.ts';
import { chosenFields, type SignUpOptions } from '../sign-up-options.ts';
import { refuseByState } from '../user-state.ts';
import type { UserRow, Users } from '../users.ts';
import { findLinkedUser, insertLink } from './account-links.ts';
import type { Profile, ProviderName } from './provider.ts';

type Arrival = { provider: ProviderName; profile: Profile; options: SignUpOptions };
type Arrived = { user: UserRow; how: 'known' | 'linked' | 'new' };

/** The user behind an account, who may have a session: known, of the same verified address, or new. */
export async function admitAccount(
  context: Context,
  deps: AuthDeps,
  arrival: Arrival,
): Promise<UserRow> {
  const { user, how } = await deps.db.transaction().execute(async (transaction) => {
    const users = deps.users.within(transaction);
    const arrived = await arrive(transaction, users, arrival);
    refuseByState(arrived.user, deps.settings);
    return arrived;
  });
  const act = { userId: user.id, details: { provider: arrival.provider } };
  if (how === 'new') await deps.audit(context, { kind: 'signed-up', ...act });
  if (how === 'linked') await deps.audit(context, { kind: 'provider-linked', ...act });
  return user;
}

async function arrive(
  db: Database,
  users: Users,
  { provider, profile, options }: Arrival,
): Promise<Arrived> {
  // Two first sign-ins of one account at the same moment make one user.
  const account = `${provider}:${profile.accountId}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${account}, 0))`.execute(db);
  const known = await findLinkedUser(db, { provider, accountId: profile.accountId });
  if (known !== undefined) return { user: known, how: 'known' };
  const created = await users.insert({
    ...chosenFields(options, profile.displayName ?? profile.email ?? provider),
    email: profile.email ?? null,
    emailVerified: profile.email !== undefined && profile.isEmailVerified,
    avatarUrl: profile.avatarUrl,
    passwordHash: null,
  });
  const user = created ?? (await ownerOfAddress(db, users, profile));
  await insertLink(db, { provider, accountId: profile.accountId, userId: user.id });
  return { user, how: created === undefined ? 'linked' : 'new' };
}

/** Whoever holds the address already, when the provider vouches that this is the same person. */
async function ownerOfAddress(
  db: Database,
  users: Users,
  { email, isEmailVerified }: Profile,
): Promise<UserRow> {
  const owner = await users.findByEmail(email ?? '');
  if (owner === undefined || !isEmailVerified) throw new AuthProblem('unverified-user');
  return owner.email_verified ? owner : await forgetUnproven(db, owner.id);
}
