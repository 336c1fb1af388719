import type { Session } from '@longshore/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditedKinds, follow, linkFor } from '../../test/auth/mail-links.ts';
import { type Backend, startBackend } from '../../test/backend.ts';

const PATH = '/v1/auth/signup/email-password';
const password = 'correct horse';
let backend: Backend;
const emails = () => backend.db.selectFrom('auth.users').select('email').orderBy('email').execute();

beforeAll(async () => {
  backend = await startBackend({ settings: { requireVerifiedEmail: true } });
});
afterAll(async () => {
  expect(backend.errors).toEqual([]);
  await backend.stop();
});

describe('if e-mail verification is required', () => {
  it('responds without a session and mails a link that signs in', async () => {
    const email = 'ada@example.com';
    const redirectTo = 'http://localhost:1337/dashboard';
    const options = { redirectTo, displayName: 'Ada' };
    const { status, body } = await backend.post(PATH, { email, password, options });
    expect({ status, body }).toEqual({ status: 200, body: {} });
    expect(backend.mails).toMatchObject([
      { to: email, purpose: 'verify-email', displayName: 'Ada', locale: 'en' },
    ]);

    const link = linkFor(backend, email);
    expect(link.origin + link.pathname).toBe('http://localhost:1337/v1/auth/verify');
    expect(Object.fromEntries(link.searchParams)).toEqual({
      type: 'emailVerify',
      ticket: expect.stringMatching(/^verifyEmail:[0-9a-f-]{36}$/),
      redirectTo,
    });

    const signIn = () => backend.post('/v1/auth/signin/email-password', { email, password });
    expect(await signIn()).toMatchObject({ status: 401, body: { error: 'unverified-user' } });
    const { parameters } = await follow(backend, link);
    const refreshed = await backend.post<Session>('/v1/auth/token', parameters);
    expect(refreshed.body.user).toMatchObject({ email, emailVerified: true });
    expect(await signIn()).toMatchObject({ status: 200, body: { session: {} } });
    expect(await auditedKinds(backend, refreshed.body.user.id)).toEqual(
      expect.arrayContaining(['signed-up', 'email-verified', 'signed-in']),
    );
  });

  it.each(['ada@localhost', 'ada@example.xn--p1ai'])('mails a link to %s', async (email) => {
    expect(await backend.post(PATH, { email, password })).toMatchObject({ status: 200 });
    expect(linkFor(backend, email).searchParams.get('type')).toBe('emailVerify');
  });

  it('does not reveal an unverified account to a caller with a wrong password', async () => {
    const email = 'waiting@example.com';
    await backend.post(PATH, { email, password });
    const { body } = await backend.post('/v1/auth/signin/email-password', {
      email,
      password: 'wrong',
    });
    expect(body).toMatchObject({ status: 401, error: 'invalid-email-password' });
  });

  it('does not refresh the session of an unverified user', async () => {
    const email = 'early@example.com';
    await backend.post(PATH, { email, password });
    const { parameters } = await follow(backend, linkFor(backend, email));
    await backend.db
      .updateTable('auth.users')
      .set({ email_verified: false })
      .where('email', '=', email)
      .execute();
    const { body } = await backend.post('/v1/auth/token', parameters);
    expect(body).toMatchObject({ status: 401, error: 'unverified-user' });
  });
});

it.each([
  ['redirectTo-not-allowed', { redirectTo: 'https://evil.example' }],
  ['redirectTo-not-allowed', { redirectTo: 'http://localhost:1337.evil.example' }],
  ['role-not-allowed', { allowedRoles: ['user', 'admin'] }],
  ['default-role-must-be-in-allowed-roles', { defaultRole: 'admin' }],
  ['default-role-must-be-in-allowed-roles', { allowedRoles: ['me'] }],
  ['invalid-request', { redirectTo: 7 }],
  ['invalid-request', { displayName: 'a@b' }],
])('refuses with %s and stores nothing for %j', async (error, options) => {
  const before = await emails();
  const mails = backend.mails.length;
  const response = await backend.post(PATH, { email: 'eve@example.com', password, options });
  expect(response).toMatchObject({ status: 400, body: { status: 400, error } });
  expect(await emails()).toEqual(before);
  expect(backend.mails).toHaveLength(mails);
});

it('grants the requested roles', async () => {
  const email = 'me@example.com';
  const options = { allowedRoles: ['me'], defaultRole: 'me', locale: 'fr', metadata: { a: 1 } };
  await backend.post(PATH, { email, password, options });
  const { parameters } = await follow(backend, linkFor(backend, email));
  const { body } = await backend.post<Session>('/v1/auth/token', parameters);
  expect(body.user).toMatchObject({
    roles: ['me'],
    defaultRole: 'me',
    locale: 'fr',
    metadata: { a: 1 },
  });
});

it('treats null as absent', async () => {
  const options = { redirectTo: null, displayName: null, locale: null, metadata: null };
  const response = await backend.post(PATH, { email: 'null@example.com', password, options });
  expect(response.status).toBe(200);
});
