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

const hashKept = async (email: string) => {
  const query = backend.db.selectFrom('auth.users').select('password_hash');
  return (await query.where('email', '=', email).executeTakeFirstOrThrow()).password_hash;
};

const signIn = async (email: string, password: string) =>
  (await backend.post('/v1/auth/signin/email-password', { email, password })).status;

it.each(['$2a$', '$2b$', '$2y$'])(
  'lets a user with a %s hash sign in, and keeps an argon2id hash from then on',
  async (prefix) => {
    const email = `${prefix.slice(1, 3)}@example.com`;
    const bcryptHash = (await hash('correct horse', 4)).replace(/^\$2.\$/, prefix);
    await importUser(email, bcryptHash);

    expect(await signIn(email, 'wrong horse')).toBe(401);
    expect(await hashKept(email)).toBe(bcryptHash);

    expect(await signIn(email, 'correct horse')).toBe(200);
    expect(await hashKept(email)).toMatch(/^\$argon2id\$/);
    expect(await signIn(email, 'correct horse')).toBe(200);
    expect(await signIn(email, 'wrong horse')).toBe(401);
  },
);

it('does not take a slip after the 72 bytes that bcrypt reads for the new password', async () => {
  const email = 'long@example.com';
  const password = `${'ü'.repeat(36)} and a tail`;
  await importUser(email, await hash(password, 4));
  await signIn(email, `${password} with a slip`);
  expect(await signIn(email, password)).toBe(200);
});

it.each([
  '',
  '$2b$',
  '$argon2id$',
  'plain text',
  '$argon2i$v=19$m=8,t=1,p=1$c2FsdA$aGFzaA',
  '$2b$99$x',
])('refuses a user whose hash is %o, whatever the password', async (unreadable) => {
  const email = `hash-${Buffer.from(unreadable).toString('hex')}@example.com`;
  await importUser(email, unreadable);
  expect(await signIn(email, unreadable)).toBe(401);
  expect(await signIn(email, 'nobody has this password')).toBe(401);
});
