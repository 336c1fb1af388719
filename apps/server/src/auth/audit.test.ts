import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Backend, bearer, startBackend } from '../../test/backend.ts';

let backend: Backend;
beforeAll(async () => {
  backend = await startBackend();
});
afterAll(async () => {
  expect(backend.errors).toEqual([]);
  await backend.stop();
});

const kindsOf = async (userId: string | null) => {
  const query = backend.db.selectFrom('auth.events').select('kind').orderBy('id');
  const events = await query.where('user_id', 'is not distinct from', userId).execute();
  return events.map(({ kind }) => kind);
};

const signIn = (email: string, password: string) =>
  backend.post('/v1/auth/signin/email-password', { email, password });

it('records sign-up, sign-in, refused sign-in and both kinds of sign-out', async () => {
  const session = await backend.signUp('audit@example.com');
  await signIn('audit@example.com', 'correct horse');
  await signIn('audit@example.com', 'wrong horse');
  await backend.post('/v1/auth/signout', { refreshToken: session.refreshToken });
  await backend.post('/v1/auth/signout', { all: true }, bearer(session));
  expect(await kindsOf(session.user.id)).toEqual([
    'signed-up',
    'signed-in',
    'sign-in-refused',
    'signed-out',
    'signed-out-everywhere',
  ]);
});

it('records a refused sign-in for an unknown address', async () => {
  await signIn('unknown@example.com', 'correct horse');
  expect(await kindsOf(null)).toEqual(['sign-in-refused']);
});

it('records nothing when a sign-out ended no session', async () => {
  const before = await kindsOf(null);
  await backend.post('/v1/auth/signout', { refreshToken: 'an unknown token' });
  expect(await kindsOf(null)).toEqual(before);
});
