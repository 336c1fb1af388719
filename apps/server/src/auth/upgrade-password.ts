import { truncates } from 'bcryptjs';
import type { Secret } from '../secrets/secret.ts';
import type { AuthDeps } from './deps.ts';
import type { UserRow } from './users.ts';

/** Hashes a password that just matched anew, where its hash is of an older kind. */
export async function upgradePassword(
  { db, passwords }: Pick<AuthDeps, 'db' | 'passwords'>,
  { id, password_hash: oldHash }: UserRow,
  password: Secret,
): Promise<void> {
  if (oldHash === null || !passwords.isOutdated(oldHash)) return;
  // The old hash knows the first 72 bytes only; a slip after them must not become the password.
  if (truncates(password.reveal())) return;
  await db
    .updateTable('auth.users')
    .set({ password_hash: await passwords.hash(password) })
    .where('id', '=', id)
    // It may have been changed meanwhile.
    .where('password_hash', '=', oldHash)
    .execute();
}
