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

function insertUser(email: string, activeMfaType: 'totp' | null) {
  const fields = { display_name: 'Ada', avatar_url: '', password_hash: 'a hash' };
  return backend.db
    .insertInto('auth.users')
    .values({ ...fields, email, totp_secret: 'sealed', active_mfa_type: activeMfaType })
    .returningAll()
    .executeTakeFirstOrThrow();
}

it('removes the secret of an authenticator app that is not turned on', async () => {
  const user = await insertUser('not-turned-on@example.com', null);
  const reset = await resetUnverifiedUser(backend.db, user);
  expect(reset).toMatchObject({ totp_secret: null, password_hash: null, email_verified: true });
});

it('changes nothing in an account with a second factor', async () => {
  const user = await insertUser('second-factor@example.com', 'totp');
  expect(await resetUnverifiedUser(backend.db, user)).toEqual(user);
});
