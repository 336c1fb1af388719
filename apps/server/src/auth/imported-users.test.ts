import { hash } from 'bcryptjs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Backend, startBackend } from '../../test/backend.ts';

let backend: Backend;
beforeAll(async () => {
  backend = await startBackend();
});
afterAll(async () => {
  expect(backend.errors).toEqual([]);
  await backend.stop();
});

async function importUser(email: string, passwordHash: string) {
  await backend.db
    .insertInto('auth.users')
    .values({ email, password_hash: passwordHash, display_name: email, avatar_url: '' })
    .execute();
}

const storedHash = async (email: string) => {
  const query = backend.db.selectFrom('auth.users').select('password_hash');
  return (await query.where('email', '=', email).executeTakeFirstOrThrow()).password_hash;
};

const signIn = async (email: string, password: string) =>
  (await backend.post('/v1/auth/signin/email-password', { email, password })).status;

it.each(['$2a$', '$2b$', '$2y$'])(
  'accepts a %s hash and replaces it with an argon2id hash',
  async (prefix) => {
    const email = `${prefix.slice(1, 3)}@example.com`;
    const bcryptHash = (await hash('correct horse', 4)).replace(/^\$2.\$/, prefix);
    await importUser(email, bcryptHash);

    expect(await signIn(email, 'wrong horse')).toBe(401);
    expect(await storedHash(email)).toBe(bcryptHash);

    expect(await signIn(email, 'correct horse')).toBe(200);
    expect(await storedHash(email)).toMatch(/^\$argon2id\$/);
    expect(await signIn(email, 'correct horse')).toBe(200);
    expect(await signIn(email, 'wrong horse')).toBe(401);
  },
);

it('accepts simultaneous sign-ins while it replaces the hash', async () => {
  const email = 'simultaneous@example.com';
  await importUser(email, await hash('correct horse', 4));
  const statuses = Array.from({ length: 4 }, () => signIn(email, 'correct horse'));
  expect(await Promise.all(statuses)).toEqual([200, 200, 200, 200]);
});

it('does not replace the hash of a password over 72 bytes, because bcrypt ignores the rest', async () => {
  const email = 'long@example.com';
  const password = `${'ü'.repeat(36)} and a tail`;
  await importUser(email, await hash(password, 4));
  await signIn(email, `${password} with a typing error`);
  expect(await signIn(email, password)).toBe(200);
});

it.each([
  '',
  '$2b$',
  '$argon2id$',
  'plain text',
  '$argon2i$v=19$m=8,t=1,p=1$c2FsdA$aGFzaA',
  '$2b$99$x',
])('refuses every password for the invalid hash %o', async (invalidHash) => {
  const email = `hash-${Buffer.from(invalidHash).toString('hex')}@example.com`;
  await importUser(email, invalidHash);
  expect(await signIn(email, invalidHash)).toBe(401);
  expect(await signIn(email, 'a wrong password')).toBe(401);
});
