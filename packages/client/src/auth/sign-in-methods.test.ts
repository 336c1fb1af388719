import { AUTH_PATHS, type AuthError } from '@longshore/contract';
import {
  createFakeAuthBackend,
  createMemoryStorage,
  createSimulatedClock,
  FAKE_MFA_TICKET,
  FAKE_OTP,
  type FakeAuthOptions,
} from '@longshore/testkit';
import { describe, expect, it } from 'vitest';
import type { SecurityKeys } from '../ports.ts';
import { type AuthDeps, createAuth } from './create-auth.ts';
import type { SignInMethod } from './sign-in-attempt.ts';

const email = 'ada@example.com';
const phoneNumber = '+15551234567';
const ada = { email, password: 'secret' };
const CURRENT_URL = 'https://console.example.com/login?plan=small';
/** `/next`, resolved against the current URL. */
const NEXT_URL = 'https://console.example.com/next?plan=small';

describe('signing in by', () => {
  it.each<[SignInMethod, string, unknown]>([
    [{ kind: 'anonymous' }, AUTH_PATHS.signInAnonymous, undefined],
    [
      { kind: 'security-key', securityKey: true },
      AUTH_PATHS.signInWebauthnVerify,
      { credential: { proof: 'challenge-1' } },
    ],
    [
      { kind: 'security-key', securityKey: true, email },
      AUTH_PATHS.signInWebauthnVerify,
      { email, credential: { proof: 'challenge-1' } },
    ],
    [
      { kind: 'sign-up-security-key', email, nickname: 'Key', options: { redirectTo: '/next' } },
      AUTH_PATHS.signUpWebauthnVerify,
      {
        credential: { created: 'challenge-1' },
        options: { redirectTo: NEXT_URL, nickname: 'Key' },
      },
    ],
    [
      { kind: 'personal-access-token', personalAccessToken: 'pat-1' },
      AUTH_PATHS.signInPat,
      { personalAccessToken: 'pat-1' },
    ],
    [
      { kind: 'id-token', provider: 'google', idToken: 'id-token-1', nonce: 'n' },
      AUTH_PATHS.signInIdToken,
      { provider: 'google', idToken: 'id-token-1', nonce: 'n' },
    ],
    [
      { kind: 'verify-sms-otp', phoneNumber, otp: FAKE_OTP },
      AUTH_PATHS.signInPasswordlessSmsOtp,
      { phoneNumber, otp: FAKE_OTP },
    ],
    [
      { kind: 'verify-email-otp', email, otp: FAKE_OTP },
      AUTH_PATHS.signInOtpEmailVerify,
      { email, otp: FAKE_OTP },
    ],
    [
      { kind: 'mfa-totp', ticket: FAKE_MFA_TICKET, otp: FAKE_OTP },
      AUTH_PATHS.signInMfaTotp,
      { ticket: FAKE_MFA_TICKET, otp: FAKE_OTP },
    ],
  ])('%j calls %s and creates a session', async (method, path, body) => {
    const { auth, backend } = start();
    expect(await auth.signInBy(method)).toEqual({ kind: 'signed-in' });
    expect(backend.calls().at(-1)).toBe(path);
    expect(backend.lastBody(path)).toEqual(body);
    expect(auth.state().kind).toBe('signed-in');
    expect(await auth.signInBy(method)).toMatchObject({
      kind: 'failed',
      error: { status: 20, error: 'already-signed-in' },
    });
  });

  it.each<[SignInMethod, string, object]>([
    [{ kind: 'security-key', securityKey: true }, AUTH_PATHS.signInWebauthn, {}],
    [{ kind: 'security-key', securityKey: true, email }, AUTH_PATHS.signInWebauthn, { email }],
    [
      { kind: 'sign-up-security-key', email, options: { redirectTo: '/next' } },
      AUTH_PATHS.signUpWebauthn,
      { email, options: { redirectTo: NEXT_URL } },
    ],
  ])('%j first requests a challenge from %s with %j', async (method, path, body) => {
    const { auth, backend } = start();
    await auth.signInBy(method);
    expect(backend.calls()[0]).toBe(path);
    expect(backend.lastBody(path)).toEqual(body);
  });

  it.each<[SignInMethod, string, string, object]>([
    [
      { kind: 'passwordless-email', email, options: { redirectTo: '/next' } },
      'needs-email-verification',
      '/signin/passwordless/email',
      { email, options: { redirectTo: NEXT_URL } },
    ],
    [
      { kind: 'passwordless-sms', phoneNumber, options: { redirectTo: '/next' } },
      'needs-otp',
      '/signin/passwordless/sms',
      { phoneNumber, options: { redirectTo: NEXT_URL } },
    ],
    [
      { kind: 'email-otp', email, options: { redirectTo: '/next' } },
      'needs-otp',
      '/signin/otp/email',
      { email, options: { redirectTo: NEXT_URL } },
    ],
    [{ kind: 'email-otp', email }, 'needs-otp', '/signin/otp/email', { email }],
  ])('%j ends in %s', async (method, kind, path, body) => {
    const { auth, backend } = start();
    expect(await auth.signInBy(method)).toEqual({ kind });
    expect(backend.calls()).toEqual([path]);
    expect(backend.lastBody(path)).toEqual(body);
    expect(auth.registration()).toEqual({ kind: 'incomplete', step: kind });
    expect(auth.state()).toMatchObject({
      kind: 'signed-out',
      needsEmailVerification: kind === 'needs-email-verification',
    });
  });

  it.each<[unknown, number, string]>([
    [
      { kind: 'security-key', securityKey: true, email: 'ada' },
      10,
      'Email is incorrectly formatted',
    ],
    [{ kind: 'security-key', securityKey: false }, 1, 'securityKey must be true'],
    [{ kind: 'sign-up-security-key', email: '' }, 10, 'Email is incorrectly formatted'],
    [{ kind: 'passwordless-email', email: 'a b' }, 10, 'Email is incorrectly formatted'],
    [{ kind: 'email-otp', email: 'ada@' }, 10, 'Email is incorrectly formatted'],
    [{ kind: 'verify-email-otp', email: '@a', otp: '1' }, 10, 'Email is incorrectly formatted'],
    [{ kind: 'passwordless-sms', phoneNumber: '' }, 10, 'Phone number is incorrectly formatted'],
    [
      { kind: 'verify-sms-otp', phoneNumber: 7, otp: '1' },
      10,
      'Phone number is incorrectly formatted',
    ],
    [{ kind: 'mfa-totp', otp: '1' }, 10, 'No MFA ticket has been provided'],
    [{ kind: 'mfa-totp', otp: '1', ticket: 'mfaTotp:1' }, 10, 'MFA ticket is invalid'],
    [{ kind: 'palm-reading' }, 1, 'Invalid sign-in method'],
  ])('%j fails without a request', async (method, status, message) => {
    const { auth, backend } = start();
    const result = await auth.signInBy(method as SignInMethod);
    expect(result).toMatchObject({ kind: 'failed', error: { status, message } });
    expect(backend.calls()).toEqual([]);
  });
});

describe('a second factor', () => {
  it('uses the ticket that the password sign-in returned', async () => {
    const { auth, backend } = start({ backend: { requireSecondFactor: true } });
    await auth.signUp(ada);
    await auth.signOut();
    expect(await auth.signIn(ada)).toEqual({ kind: 'needs-mfa' });
    expect(await auth.signInBy({ kind: 'mfa-totp', otp: FAKE_OTP })).toEqual({ kind: 'signed-in' });
    expect(backend.lastBody(AUTH_PATHS.signInMfaTotp)).toEqual({
      ticket: FAKE_MFA_TICKET,
      otp: FAKE_OTP,
    });
  });

  it.each<SignInMethod>([
    { kind: 'verify-email-otp', email, otp: FAKE_OTP },
    { kind: 'verify-sms-otp', phoneNumber, otp: FAKE_OTP },
    { kind: 'id-token', provider: 'google', idToken: 'id-token-1' },
    { kind: 'security-key', securityKey: true },
  ])('follows %j', async (method) => {
    const { auth, backend } = start({ backend: { requireSecondFactor: true } });
    expect(await auth.signInBy(method)).toEqual({ kind: 'needs-mfa' });
    expect(auth.state()).toEqual({
      kind: 'signed-out',
      needsEmailVerification: false,
      needsMfa: true,
    });
    expect(await auth.signInBy({ kind: 'mfa-totp', otp: FAKE_OTP })).toEqual({ kind: 'signed-in' });
    expect(backend.lastBody(AUTH_PATHS.signInMfaTotp)).toMatchObject({ ticket: FAKE_MFA_TICKET });
  });

  it('follows the sign-up of an anonymous user', async () => {
    const { auth } = start({ backend: { requireSecondFactor: true } });
    await auth.signInBy({ kind: 'anonymous' });
    expect(await auth.signUp(ada)).toEqual({ kind: 'needs-mfa' });
    expect(auth.state()).toMatchObject({ kind: 'signed-out', needsMfa: true });
    expect(await auth.signInBy({ kind: 'mfa-totp', otp: FAKE_OTP })).toEqual({ kind: 'signed-in' });
  });

  it('follows a link or a provider, whose redirect carries the ticket, and removes it from the URL', async () => {
    const ticket = encodeURIComponent(FAKE_MFA_TICKET);
    let href = `https://console.example.com/new?error=mfa-required&ticket=${ticket}&tab=2`;
    const addressBar = {
      href: () => href,
      replace(next: string) {
        href = next;
      },
    };
    const { auth, backend } = start({ addressBar });
    await auth.ready();
    expect(auth.state()).toMatchObject({ kind: 'signed-out', needsMfa: true });
    expect(backend.calls()).toEqual([]);
    expect(await auth.signInBy({ kind: 'mfa-totp', otp: FAKE_OTP })).toEqual({ kind: 'signed-in' });
    expect(backend.lastBody(AUTH_PATHS.signInMfaTotp)).toMatchObject({ ticket: FAKE_MFA_TICKET });
    expect(href).toBe('https://console.example.com/new?tab=2');
  });

  it('keeps the ticket after a network error and drops it after a wrong code', async () => {
    const { auth, backend } = start({ backend: { requireSecondFactor: true } });
    await auth.signUp(ada);
    await auth.signOut();
    await auth.signIn(ada);
    backend.failNext(1, 'network');
    const sendCode = (otp: string) => auth.signInBy({ kind: 'mfa-totp', otp });
    expect(await sendCode(FAKE_OTP)).toMatchObject({ error: { error: 'network' } });
    expect(await sendCode('000000')).toMatchObject({ error: { error: 'invalid-totp' } });
    expect(await sendCode(FAKE_OTP)).toMatchObject({ error: { error: 'no-mfa-ticket' } });
  });
});

describe('a personal access token', () => {
  it('is not refreshed by the timer, but when a request needs it', async () => {
    const { auth, backend, clock } = start();
    await auth.signInBy({ kind: 'personal-access-token', personalAccessToken: 'pat-1' });
    await clock.advance(2_000_000);
    expect(backend.calls()).not.toContain(AUTH_PATHS.token);
    expect(await auth.accessToken()).toMatch(/^access-/);
    await clock.advance(2_000_000);
    expect(refreshes(backend)).toBe(1);
  });

  it('is still recognized after a reload', async () => {
    const { auth, backend, clock, storage, reload } = start();
    await auth.signInBy({ kind: 'personal-access-token', personalAccessToken: 'pat-1' });
    const reloaded = reload();
    await reloaded.ready();
    expect(reloaded.state().kind).toBe('signed-in');
    await clock.advance(2_000_000);
    expect(refreshes(backend)).toBe(1);
    await reloaded.signOut();
    expect(storage.contents()).toEqual({});
    await reloaded.signUp({ email: 'eve@example.com', password: 'secret' });
    await clock.advance(900_000);
    expect(refreshes(backend)).toBe(2);
  });
});

describe('a security key', () => {
  it.each([
    'ERROR_CEREMONY_ABORTED',
    'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED',
    'ERROR_INVALID_RP_ID',
    'ERROR_INVALID_DOMAIN',
    'ERROR_AUTHENTICATOR_GENERAL_ERROR',
  ])('that fails with %s fails the sign-in with the same code', async (code) => {
    const error = { status: 1, error: code, message: 'No' };
    const { auth, backend } = start({ securityKeys: failingKeys(error) });
    expect(await auth.signInBy({ kind: 'security-key', securityKey: true })).toEqual({
      kind: 'failed',
      error,
    });
    expect(backend.calls()).toEqual([AUTH_PATHS.signInWebauthn]);
  });

  it('fails in a browser without WebAuthn', async () => {
    const { auth } = start({ securityKeys: undefined });
    expect(await auth.signInBy({ kind: 'security-key', securityKey: true })).toMatchObject({
      error: { message: 'WebAuthn is not supported in this browser' },
    });
  });
});

describe('registration', () => {
  it('is complete after sign-in', async () => {
    const { auth } = start();
    expect(auth.registration()).toEqual({ kind: 'incomplete', step: 'no-errors' });
    await auth.signUp(ada);
    expect(auth.registration()).toEqual({ kind: 'complete' });
    await auth.signOut();
    expect(auth.registration()).toEqual({ kind: 'incomplete', step: 'no-errors' });
  });

  it('stores why a sign-up failed, until the next attempt', async () => {
    const { auth, backend } = start();
    backend.failNext(1, { status: 409, error: 'user-already-exists', message: 'No' });
    await auth.signUp(ada);
    expect(auth.registration()).toMatchObject({ step: 'failed', error: { status: 409 } });
    await auth.signIn(ada);
    expect(auth.registration()).toEqual({ kind: 'incomplete', step: 'no-errors' });
  });

  it('stays incomplete for an anonymous user', async () => {
    const { auth } = start();
    await auth.signInBy({ kind: 'anonymous' });
    expect(auth.registration()).toEqual({ kind: 'incomplete', step: 'no-errors' });
  });
});

describe('an anonymous user', () => {
  it.each<[SignInMethod, object, string]>([
    [
      { kind: 'passwordless-email', email },
      { signInMethod: 'passwordless', connection: 'email', email },
      'needs-email-verification',
    ],
    [
      { kind: 'passwordless-sms', phoneNumber },
      { signInMethod: 'passwordless', connection: 'sms', phoneNumber },
      'needs-otp',
    ],
  ])('who registers by %j is converted and has to verify', async (method, body, kind) => {
    const { auth, backend, storage } = start({ backend: { requireVerifiedEmail: true } });
    await auth.signInBy({ kind: 'anonymous' });
    expect(await auth.signInBy(method)).toEqual({ kind });
    expect(backend.lastBody(AUTH_PATHS.deanonymize)).toEqual(body);
    expect(backend.lastHeaders(AUTH_PATHS.deanonymize).authorization).toMatch(/^Bearer access-/);
    expect(auth.state().kind).toBe('signed-out');
    expect(storage.contents()).toEqual({});
  });

  it('who signs up by password stays signed in if nothing has to be verified', async () => {
    const { auth, backend } = start();
    await auth.signInBy({ kind: 'anonymous' });
    expect(await auth.signUp(ada)).toEqual({ kind: 'signed-in' });
    expect(backend.lastBody(AUTH_PATHS.deanonymize)).toEqual({
      signInMethod: 'email-password',
      ...ada,
    });
    expect(auth.state()).toMatchObject({ user: { email, isAnonymous: false } });
    expect(auth.registration()).toEqual({ kind: 'complete' });
  });

  it('stays signed in when the conversion fails', async () => {
    const { auth, backend } = start();
    await auth.signInBy({ kind: 'anonymous' });
    backend.failNext(1, { status: 409, error: 'user-already-exists', message: 'Taken' });
    expect(await auth.signUp(ada)).toMatchObject({ kind: 'failed', error: { message: 'Taken' } });
    expect(auth.state()).toMatchObject({ kind: 'signed-in', user: { isAnonymous: true } });
    expect(auth.registration()).toMatchObject({ step: 'failed', error: { message: 'Taken' } });
  });

  it.each<[SignInMethod, string]>([
    [{ kind: 'sign-up-security-key', email }, 'Unknown deanonymization method'],
    [{ kind: 'passwordless-email', email: 'ada' }, 'Email is incorrectly formatted'],
    [{ kind: 'id-token', provider: 'google', idToken: 't' }, 'User is already signed in'],
  ])('cannot register by %j', async (method, message) => {
    const { auth } = start();
    await auth.signInBy({ kind: 'anonymous' });
    expect(await auth.signInBy(method)).toMatchObject({ kind: 'failed', error: { message } });
    expect(auth.state().kind).toBe('signed-in');
  });
});

function start(options: Partial<AuthDeps> & { backend?: FakeAuthOptions } = {}) {
  const clock = createSimulatedClock();
  const storage = createMemoryStorage();
  const backend = createFakeAuthBackend({ now: () => clock.now(), ...options.backend });
  const deps: AuthDeps = {
    url: 'http://backend/v1/auth',
    clock,
    fetch: backend.fetch,
    storage,
    securityKeys: workingKeys,
    addressBar: { href: () => CURRENT_URL, replace: () => undefined },
    ...options,
  };
  const auth = createAuth(deps);
  function reload() {
    auth.stop();
    return createAuth(deps);
  }
  return { auth, backend, clock, storage, reload };
}

function refreshes(backend: { calls(): string[] }): number {
  return backend.calls().filter((path) => path === AUTH_PATHS.token).length;
}

const workingKeys: SecurityKeys = {
  create: async (options) => ({ ok: true, body: { created: challengeOf(options) } }),
  prove: async (options) => ({ ok: true, body: { proof: challengeOf(options) } }),
};

function failingKeys(error: AuthError): SecurityKeys {
  return { create: async () => ({ ok: false, error }), prove: async () => ({ ok: false, error }) };
}

function challengeOf(options: unknown): unknown {
  return (options as { challenge: string }).challenge;
}
