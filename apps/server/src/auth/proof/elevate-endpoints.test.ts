import type { Session } from '@longshore/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditedKinds } from '../../../test/auth/mail-links.ts';
import { requestSignature, signUpWithKey } from '../../../test/auth/security-key-account.ts';
import { makeProofStale } from '../../../test/auth/stale-proof.ts';
import {
  startWithAuthenticators,
  type UsersWithAuthenticators,
} from '../../../test/auth/users-with-authenticators.ts';
import { type Backend, bearer, stopWithoutErrors } from '../../../test/backend.ts';

let backend: Backend;
let users: UsersWithAuthenticators;
beforeAll(async () => {
  ({ backend, users } = await startWithAuthenticators());
});
afterAll(() => stopWithoutErrors(backend));

const password = 'correct horse';
const post = (path: string, body: unknown, session: Session) =>
  backend.post<unknown>(`/v1/auth${path}`, body, bearer(session));
const statusOf = async (session: Session) =>
  (await backend.request('/v1/auth/elevate', { headers: bearer(session) })).body;
const isFresh = async (session: Session) => (await statusOf(session)).isFresh;
const listPats = (session: Session) =>
  backend.request('/v1/auth/personal-access-tokens', { headers: bearer(session) });

async function staleUser(): Promise<Session> {
  const session = await backend.signUp();
  await makeProofStale(backend, session);
  return session;
}

async function signInAgain({ user }: Session): Promise<Session> {
  const session = (await users.signIn(user.email ?? '')).session;
  await makeProofStale(backend, session);
  return session;
}

async function mailedCode(session: Session): Promise<string> {
  expect((await post('/elevate/otp/email', '', session)).body).toBe('OK');
  const mail = backend.mails.at(-1);
  expect(mail).toMatchObject({ to: session.user.email, purpose: 'proof-code' });
  return mail?.code ?? '';
}

const wrong = (otp: string) => String((Number(otp) + 1) % 1_000_000).padStart(6, '0');

describe('GET /elevate', () => {
  it('reports a fresh proof, and the options of the account', async () => {
    const session = await backend.signUp();
    const options = ['password', 'email-code'];
    expect(await statusOf(session)).toEqual({ isFresh: true, options });
    await makeProofStale(backend, session);
    expect(await statusOf(session)).toEqual({ isFresh: false, options });
  });

  it('reports the second factor of an account with an authenticator app', async () => {
    const { session } = await users.newUserWithMfa();
    expect(await statusOf(session)).toEqual({ isFresh: true, options: ['totp'] });
  });
});

describe('POST /elevate/password', () => {
  it('proves identity in this session only', async () => {
    const session = await staleUser();
    const other = await signInAgain(session);
    expect((await listPats(session)).status).toBe(403);
    expect((await post('/elevate/password', { password }, session)).body).toBe('OK');
    expect((await listPats(session)).status).toBe(200);
    expect((await listPats(other)).body).toMatchObject({ error: 'reauthentication-required' });
    expect(await auditedKinds(backend, session.user.id)).toContain('elevated');
  });

  it('refuses a wrong password, and ten of them lock this session alone', async () => {
    const session = await staleUser();
    const other = await signInAgain(session);
    for (let attempt = 0; attempt < 10; attempt += 1) {
      const response = await post('/elevate/password', { password: 'a guess' }, session);
      expect(response).toMatchObject({ status: 401, body: { error: 'incorrect-password' } });
    }
    const locked = await post('/elevate/password', { password }, session);
    expect(locked).toMatchObject({ status: 429, body: { error: 'too-many-requests' } });
    expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await isFresh(session)).toBe(false);
    expect((await post('/elevate/password', { password }, other)).status).toBe(200);
    expect((await users.signIn(session.user.email ?? '')).session).toBeDefined();
    expect(await auditedKinds(backend, session.user.id)).toContain('elevation-refused');
  });

  it('refuses an account without a password', async () => {
    const { session } = await signUpWithKey(backend, 'keys-only@example.com');
    await makeProofStale(backend, session);
    const { body } = await post('/elevate/password', { password: '' }, session);
    expect(body).toMatchObject({ error: 'incorrect-password' });
  });
});

describe('POST /elevate/otp/email and /elevate/otp/email/verify', () => {
  it('prove identity with a mailed code, once', async () => {
    const session = await staleUser();
    const otp = await mailedCode(session);
    expect((await post('/elevate/otp/email/verify', { otp }, session)).body).toBe('OK');
    expect(await isFresh(session)).toBe(true);
    const again = await post('/elevate/otp/email/verify', { otp }, session);
    expect(again.body).toMatchObject({ status: 400, error: 'invalid-otp' });
  });

  it('refuse the code of another session, which stays valid there', async () => {
    const session = await staleUser();
    const other = await signInAgain(session);
    const otp = await mailedCode(session);
    expect((await post('/elevate/otp/email/verify', { otp }, other)).status).toBe(400);
    await mailedCode(other);
    for (let attempt = 0; attempt < 6; attempt += 1)
      await post('/elevate/otp/email/verify', { otp: wrong(otp) }, other);
    expect((await post('/elevate/otp/email/verify', { otp }, session)).status).toBe(200);
    expect(await isFresh(other)).toBe(false);
  });

  it('refuse every code after five wrong ones', async () => {
    const session = await staleUser();
    const otp = await mailedCode(session);
    for (let attempt = 0; attempt < 5; attempt += 1)
      await post('/elevate/otp/email/verify', { otp: wrong(otp) }, session);
    const { body } = await post('/elevate/otp/email/verify', { otp }, session);
    expect(body).toMatchObject({ status: 400, error: 'otp-too-many-attempts' });
    const newOtp = await mailedCode(session);
    expect((await post('/elevate/otp/email/verify', { otp: newOtp }, session)).status).toBe(200);
  });

  it('use other codes than the sign-in', async () => {
    const session = await staleUser();
    const email = session.user.email ?? '';
    const proofCode = await mailedCode(session);
    await backend.post('/v1/auth/signin/otp/email', { email });
    const signInCode = backend.mails.at(-1)?.code ?? '';
    const signIn = await backend.post('/v1/auth/signin/otp/email/verify', {
      email,
      otp: proofCode,
    });
    expect(signIn.status).toBe(400);
    const proof = await post('/elevate/otp/email/verify', { otp: signInCode }, session);
    expect(proof.status).toBe(400);
    const valid = await post('/elevate/otp/email/verify', { otp: proofCode }, session);
    expect(valid.status).toBe(200);
  });

  it('refuse an account without an address', async () => {
    const phoneNumber = '+15555550199';
    await backend.post('/v1/auth/signin/passwordless/sms', { phoneNumber });
    const otp = backend.texts.at(-1)?.text.slice(0, 6);
    const { body } = await backend.post<{ session: Session }>(
      '/v1/auth/signin/passwordless/sms/otp',
      { phoneNumber, otp },
    );
    expect((await post('/elevate/otp/email', '', body.session)).body).toMatchObject({
      status: 403,
      error: 'proof-not-accepted',
    });
  });
});

describe('an account with an authenticator app', () => {
  it('accepts a code of the app, and a recovery code', async () => {
    const { session, totpSecret, recoveryCode } = await users.newUserWithRecoveryCodes();
    for (const otp of [users.codeOf(totpSecret), recoveryCode]) {
      await makeProofStale(backend, session);
      expect((await post('/elevate/totp', { otp }, session)).body).toBe('OK');
      expect(await isFresh(session)).toBe(true);
      await makeProofStale(backend, session);
      const again = await post('/elevate/totp', { otp }, session);
      expect(again.body).toMatchObject({ status: 401, error: 'invalid-totp' });
    }
  });

  it('accepts neither the password nor a mailed code', async () => {
    const { session } = await users.newUserWithMfa();
    await makeProofStale(backend, session);
    const mailsBefore = backend.mails.length;
    const attempts = [
      post('/elevate/password', { password }, session),
      post('/elevate/otp/email', '', session),
      post('/elevate/otp/email/verify', { otp: '123456' }, session),
    ];
    for (const attempt of attempts)
      expect((await attempt).body).toMatchObject({ status: 403, error: 'proof-not-accepted' });
    expect(backend.mails).toHaveLength(mailsBefore);
    expect(await isFresh(session)).toBe(false);
  });

  it('does not lock its sign-in by wrong codes in a session', async () => {
    const { email, session, totpSecret } = await users.newUserWithMfa();
    for (let attempt = 0; attempt < 11; attempt += 1)
      await post('/elevate/totp', { otp: users.wrongCodeOf(totpSecret) }, session);
    const { ticket } = (await users.signIn(email)).mfa;
    expect((await users.signInMfa(ticket, users.codeOf(totpSecret))).status).toBe(200);
  });

  it('does not count a password that was entered before the app was activated', async () => {
    const { email, session } = await users.newUser();
    const other = (await users.signIn(email)).session;
    const { totpSecret } = (await users.generate(session)).body;
    await users.change(session, { code: users.codeOf(totpSecret), activeMfaType: 'totp' });
    // Turning the app on may end other sessions; in no case may they change the account.
    expect([401, 403]).toContain((await listPats(other)).status);
  });
});

describe('POST /elevate/webauthn/verify', () => {
  const prove = async (account: Awaited<ReturnType<typeof signUpWithKey>>, body = {}) => {
    const { key, session } = account;
    const options = await requestSignature(backend, '', {
      path: '/v1/auth/elevate/webauthn',
      headers: bearer(session),
    });
    return await post(
      '/elevate/webauthn/verify',
      { credential: key.get(options), ...body },
      session,
    );
  };

  it('proves identity in the session that sent it, without a new session if asked', async () => {
    const account = await signUpWithKey(backend, 'key@example.com');
    const { session } = account;
    await makeProofStale(backend, session);
    expect((await prove(account, { keepSession: true })).body).toBe('OK');
    expect(await isFresh(session)).toBe(true);
    const sessions = await backend.request<{ sessions: unknown[] }>('/v1/auth/sessions', {
      headers: bearer(session),
    });
    expect(sessions.body.sessions).toHaveLength(1);
    const { body } = await prove(account);
    expect(await isFresh((body as { session: Session }).session)).toBe(true);
  });
});

it('accepts a security key for an account with an authenticator app only if it verified its user', async () => {
  const { key, session } = await signUpWithKey(backend, 'key-and-app@example.com');
  const { totpSecret } = (await users.generate(session)).body;
  await users.change(session, { code: users.codeOf(totpSecret), activeMfaType: 'totp' });
  await makeProofStale(backend, session);
  const prove = async (isUserVerified: boolean) => {
    const path = '/v1/auth/elevate/webauthn';
    const options = await requestSignature(backend, '', { path, headers: bearer(session) });
    expect(options.userVerification).toBe('required');
    const credential = key.get(options, { isUserVerified });
    return await post('/elevate/webauthn/verify', { credential, keepSession: true }, session);
  };
  expect((await prove(false)).body).toMatchObject({ status: 403, error: 'proof-not-accepted' });
  expect(await isFresh(session)).toBe(false);
  expect((await prove(true)).body).toBe('OK');
  expect(await isFresh(session)).toBe(true);
});

it('proves nothing in a session of a personal access token', async () => {
  const owner = await backend.signUp();
  const created = await backend.post<{ personalAccessToken: string }>(
    '/v1/auth/pat',
    { expiresAt: '2099-01-01T00:00:00Z' },
    bearer(owner),
  );
  const signedIn = await backend.post<{ session: Session }>('/v1/auth/signin/pat', created.body);
  const { session } = signedIn.body;
  expect(await post('/elevate/password', { password }, session)).toMatchObject({
    status: 403,
    body: { error: 'forbidden-personal-access-token' },
  });
  expect((await listPats(session)).body).toMatchObject({
    error: 'forbidden-personal-access-token',
  });
});

it('registers an anonymous user, who then counts as just signed up', async () => {
  const { body } = await backend.post<{ session: Session }>('/v1/auth/signin/anonymous', '');
  const registration = { signInMethod: 'email-password', email: 'new@example.com', password };
  expect((await post('/user/deanonymize', registration, body.session)).status).toBe(200);
  expect(await isFresh(body.session)).toBe(true);
});
