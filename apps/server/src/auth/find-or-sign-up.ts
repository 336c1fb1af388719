import type { Context } from 'hono';
import type { AuthDeps } from './deps.ts';
import type { NewUser, UserRow } from './users.ts';

export type FoundUser = { user: UserRow; isNew: boolean };

/** Finds the user with an e-mail address or phone number, or creates one. */
export async function findOrSignUp(
  context: Context,
  { users, audit }: Pick<AuthDeps, 'users' | 'audit'>,
  newUser: Omit<NewUser, 'passwordHash'>,
): Promise<FoundUser> {
  const existing = await find();
  if (existing !== undefined) return { user: existing, isNew: false };
  const user = await users.insert({ ...newUser, passwordHash: null });
  if (user !== undefined) {
    await audit(context, { kind: 'signed-up', userId: user.id });
    return { user, isNew: true };
  }
  // A simultaneous request created the same account.
  const concurrent = await find();
  if (concurrent === undefined) throw new Error('The user neither exists nor can be created');
  return { user: concurrent, isNew: false };

  async function find(): Promise<UserRow | undefined> {
    return newUser.email === null
      ? await users.findByPhoneNumber(newUser.phoneNumber ?? '')
      : await users.findByEmail(newUser.email);
  }
}
