import { afterAll, beforeAll, expect, it } from 'vitest';
import { follow, linkFor } from '../../../test/auth/mail-links.ts';
import { type Backend, bearer, startBackend } from '../../../test/backend.ts';

const PATH = '/v1/auth/user/email/change';
let backend: Backend;
beforeAll(async () => {
  backend = await startBackend();
});
afterAll(async () => {
  expect(backend.errors).toEqual([]);
  await backend.stop();
});

const signIn = (email: string) =>
  backend.post('/v1/auth/signin/email-password', { email, password: 'correct horse' });

it('mails the new address, and changes nothing until the link is followed', async () => {
  const session = await backend.signUp('old@example.com');
  const newEmail = 'new@example.com';
  const { status, body } = await backend.post(
    PATH,
    { newEmail: 'New@example.com' },
    bearer(session),
  );
  expect({ status, body }).toEqual({ status: 200, body: 'OK' });
  expect(backend.mails).toMatchObject([{ to: newEmail, purpose: 'confirm-email-change' }]);
  expect((await signIn('old@example.com')).status).toBe(200);
  expect((await signIn(newEmail)).status).toBe(401);

  const link = linkFor(backend, newEmail);
  expect(link.searchParams.get('type')).toBe('emailConfirmChange');
  await follow(backend, link);
  await expect
    .poll(() => backend.mails.at(-1))
    .toMatchObject({ to: 'old@example.com', purpose: 'email-changed' });
  expect((await signIn('old@example.com')).status).toBe(401);
  expect((await signIn(newEmail)).status).toBe(200);
  const { refreshToken } = session;
  expect((await backend.post('/v1/auth/token', { refreshToken })).body).toMatchObject({
    user: { email: newEmail, emailVerified: true },
  });
});

it('refuses an address that is taken', async () => {
  await backend.signUp('taken@example.com');
  const session = await backend.signUp();
  const { body } = await backend.post(PATH, { newEmail: 'taken@example.com' }, bearer(session));
  expect(body).toEqual({
    status: 409,
    error: 'user-already-exists',
    message: 'User already exists',
  });
});

it('refuses a redirect that is not allowed, and stores nothing', async () => {
  const session = await backend.signUp();
  const options = { redirectTo: 'https://evil.example' };
  const { body } = await backend.post(
    PATH,
    { newEmail: 'x@example.com', options },
    bearer(session),
  );
  expect(body).toMatchObject({ status: 400, error: 'redirectTo-not-allowed' });
  const user = await backend.db
    .selectFrom('auth.users')
    .select('new_email')
    .where('id', '=', session.user.id)
    .executeTakeFirst();
  expect(user).toEqual({ new_email: null });
});

it.each([
  ['no bearer token', {}],
  ['an invalid bearer token', { authorization: 'Bearer x' }],
])('refuses a request with %s', async (_, headers: Record<string, string>) => {
  const { body } = await backend.post(PATH, { newEmail: 'x@example.com' }, headers);
  expect(body).toMatchObject({ status: 401, error: 'unauthorized' });
});
