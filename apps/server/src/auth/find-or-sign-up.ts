import type { Context } from 'hono';
import type { AuthDeps } from './deps.ts';
import type { NewUser, UserRow } from './users.ts';

export type Found = { user: UserRow; isNew: boolean };

/** Where a message goes is where its user is known by; whoever is unknown is signed up. Wire §3.7. */
export async function findOrSignUp(
  context: Context,
  { users, audit }: Pick<AuthDeps, 'users' | 'audit'>,
  newUser: Omit<NewUser, 'passwordHash'>,
): Promise<Found> {
  const known = await find();
  if (known !== undefined) return { user: known, isNew: false };
  const user = await users.insert({ ...newUser, passwordHash: null });
  if (user !== undefined) {
    await audit(context, { kind: 'signed-up', userId: user.id });
    return { user, isNew: true };
  }
  // Somebody else made the same account at this moment.
  const twin = await find();
  if (twin === undefined) throw new Error('A user is neither there nor can be added');
  return { user: twin, isNew: false };

  async function find(): Promise<UserRow | undefined> {
    return newUser.email === null
      ? await users.findByPhoneNumber(newUser.phoneNumber ?? '')
      : await users.findByEmail(newUser.email);
  }
}
