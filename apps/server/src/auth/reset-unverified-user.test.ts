import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Backend, startBackend } from '../../test/backend.ts';
import { resetUnverifiedUser } from './reset-unverified-user.ts';

let backend: Backend;
beforeAll(async () => {
  backend = await startBackend({ settings: { requireVerifiedEmail: true } });
});
afterAll(async () => {
  expect(backend.errors).toEqual([]);
  await backend.stop();
});

const ATTACKER_PASSWORD = 'known to the attacker';

/** An attacker signs up with the address of another person. */
async function signUpAsAttacker(email: string): Promise<void> {
  await backend.post('/v1/auth/signup/email-password', { email, password: ATTACKER_PASSWORD });
}

async function passwordSignIn(email: string) {
  const { body } = await backend.post('/v1/auth/signin/email-password', {
    email,
    password: ATTACKER_PASSWORD,
  });
  return body;
}

it('refuses the password of an attacker’s sign-up after the owner verified the address with a code', async () => {
  const email = 'owner-by-code@example.com';
  await signUpAsAttacker(email);
  await backend.post('/v1/auth/signin/otp/email', { email });
  const code = await vi.waitFor(() => {
    const mail = backend.mails.find((it) => it.to === email && it.code !== undefined);
    return mail?.code ?? expect.fail('No code was mailed');
  });
  const { body } = await backend.post('/v1/auth/signin/otp/email/verify', { email, otp: code });
  expect(body).toHaveProperty('session');
  expect(await passwordSignIn(email)).toMatchObject({ error: 'invalid-email-password' });
});

it('refuses the password of an attacker’s sign-up after the owner followed a sign-in link', async () => {
  const email = 'owner-by-link@example.com';
  await signUpAsAttacker(email);
  await backend.post('/v1/auth/signin/passwordless/email', { email });
  const link = await vi.waitFor(() => {
    const mail = backend.mails.find((it) => it.to === email && it.purpose === 'sign-in-link');
    return mail?.link ?? expect.fail('No link was mailed');
  });
  const { pathname, search } = new URL(link);
  const response = await backend.app.request(`${pathname}${search}`);
  expect(response.headers.get('location')).toContain('refreshToken=');
  expect(await passwordSignIn(email)).toMatchObject({ error: 'invalid-email-password' });
});

it('removes the second factor with its recovery codes', async () => {
  const { id } = await backend.db
    .insertInto('auth.users')
    .values({
      ...{ email: 'second-factor@example.com', display_name: 'Ada', avatar_url: '' },
      ...{ totp_secret: 'sealed', active_mfa_type: 'totp' },
      recovery_code_hashes: [Buffer.from('a hash')],
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  expect(await resetUnverifiedUser(backend.db, id)).toMatchObject({
    totp_secret: null,
    active_mfa_type: null,
    recovery_code_hashes: [],
  });
});
