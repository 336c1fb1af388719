import type { Session } from '@longshore/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditedKinds, follow, linkFor } from '../../../test/auth/mail-links.ts';
import { type Backend, startBackend } from '../../../test/backend.ts';

let backend: Backend;
beforeAll(async () => {
  backend = await startBackend({ settings: { requireVerifiedEmail: true } });
});
afterAll(async () => {
  expect(backend.errors).toEqual([]);
  await backend.stop();
});

const count = async () => (await backend.db.selectFrom('auth.users').select('id').execute()).length;

describe.each(['/v1/auth/signin/passwordless/email', '/auth/v1/signup/passwordless/email'])(
  'POST %s',
  (path) => {
    const email = `ada@${path.split('/')[3]}.example.com`;

    it('creates an account for a new address and mails a link that signs in', async () => {
      const options = { displayName: 'Ada', metadata: { plan: 'x' } };
      const { status, body } = await backend.post(path, { email, options });
      expect({ status, body }).toEqual({ status: 200, body: 'OK' });
      expect(backend.mails.at(-1)).toMatchObject({ to: email, purpose: 'sign-in-link' });
      const link = linkFor(backend, email);
      expect(link.searchParams.get('type')).toBe('signinPasswordless');
      const { parameters } = await follow(backend, link);
      expect(parameters.type).toBe('passwordlessEmail');
      const refreshed = await backend.post<Session>('/v1/auth/token', parameters);
      expect(refreshed.body.user).toMatchObject({
        email,
        emailVerified: true,
        displayName: 'Ada',
        metadata: { plan: 'x' },
      });
      expect(await auditedKinds(backend, refreshed.body.user.id)).toEqual([
        'signed-up',
        'sign-in-link-asked',
        'email-verified',
        'signed-in',
      ]);
    });

    it('mails another link to the same account', async () => {
      const before = await count();
      await backend.post(path, { email });
      expect((await follow(backend, linkFor(backend, email))).parameters).toHaveProperty(
        'refreshToken',
      );
      expect(await count()).toBe(before);
    });

    it.each([
      ['redirectTo-not-allowed', { redirectTo: 'https://evil.example' }],
      ['role-not-allowed', { allowedRoles: ['admin'] }],
      ['invalid-request', { displayName: 'a@b' }],
    ])('refuses with %s and creates no account', async (error, options) => {
      const before = await count();
      const { body } = await backend.post(path, { email: 'eve@example.com', options });
      expect(body).toMatchObject({ status: 400, error });
      expect(await count()).toBe(before);
    });
  },
);

it('creates one account for two simultaneous requests', async () => {
  const before = await count();
  const requestLink = () =>
    backend.post('/v1/auth/signin/passwordless/email', { email: 'twin@example.com' });
  const responses = await Promise.all([requestLink(), requestLink(), requestLink()]);
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await count()).toBe(before + 1);
});

it('does not allow a sign-in with an empty password', async () => {
  const email = 'nopassword@example.com';
  await backend.post('/v1/auth/signin/passwordless/email', { email });
  const { body } = await backend.post('/v1/auth/signin/email-password', { email, password: '' });
  expect(body).toMatchObject({ error: 'invalid-email-password' });
});
