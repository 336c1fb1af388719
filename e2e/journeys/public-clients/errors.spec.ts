import { randomUUID } from 'node:crypto';
import { type AuthErrorCode, authError } from '@longshore/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { connectNhost3, connectNhost4, NHOST_3, newEmail, PASSWORD } from '../../support/nhost.ts';
import { sharedLongshore } from '../../support/shared-longshore.ts';

const longshore = sharedLongshore({ LONGSHORE_REQUIRE_VERIFIED_EMAIL: 'false' });

type Nhost3 = ReturnType<typeof connectNhost3>;
type Nhost4 = ReturnType<typeof connectNhost4>;

const TAKEN = newEmail();
const FOREIGN_REDIRECT = { redirectTo: 'https://elsewhere.example.com' };
const TICKET = `mfaTotp:${randomUUID()}`;
const IN_AN_HOUR = new Date(Date.now() + 3_600_000);

/** Requests that are refused, how each client sends them, and the error both must report. */
const ERRORS: [AuthErrorCode, (nhost: Nhost3) => unknown, (nhost: Nhost4) => unknown][] = [
  [
    'invalid-email-password',
    ({ auth }) => auth.signIn({ email: TAKEN, password: 'wrong' }),
    ({ auth }) => auth.signInEmailPassword({ email: TAKEN, password: 'wrong' }),
  ],
  [
    'invalid-email-password',
    ({ auth }) => auth.signIn({ email: newEmail(), password: PASSWORD }),
    ({ auth }) => auth.signInEmailPassword({ email: newEmail(), password: PASSWORD }),
  ],
  [
    'user-already-exists',
    ({ auth }) => auth.signUp({ email: TAKEN, password: PASSWORD }),
    ({ auth }) => auth.signUpEmailPassword({ email: TAKEN, password: PASSWORD }),
  ],
  [
    'role-not-allowed',
    ({ auth }) =>
      auth.signUp({ ...newCredentials(), options: { allowedRoles: ['user', 'admin'] } }),
    ({ auth }) =>
      auth.signUpEmailPassword({
        ...newCredentials(),
        options: { allowedRoles: ['user', 'admin'] },
      }),
  ],
  [
    'redirectTo-not-allowed',
    ({ auth }) => auth.resetPassword({ email: TAKEN, options: FOREIGN_REDIRECT }),
    ({ auth }) => auth.sendPasswordResetEmail({ email: TAKEN, options: FOREIGN_REDIRECT }),
  ],
  [
    'redirectTo-not-allowed',
    ({ auth }) => auth.signIn({ email: TAKEN, options: FOREIGN_REDIRECT }),
    ({ auth }) => auth.signInPasswordlessEmail({ email: TAKEN, options: FOREIGN_REDIRECT }),
  ],
  [
    'invalid-ticket',
    ({ auth }) => auth.signIn({ ticket: TICKET, otp: '000000' }),
    ({ auth }) => auth.verifySignInMfaTotp({ ticket: TICKET, otp: '000000' }),
  ],
  [
    'invalid-ticket',
    ({ auth }) => auth.changePassword({ newPassword: PASSWORD, ticket: TICKET }),
    ({ auth }) => auth.changeUserPassword({ newPassword: PASSWORD, ticket: TICKET }),
  ],
  [
    'invalid-pat',
    ({ auth }) => auth.signInPAT(randomUUID()),
    ({ auth }) => auth.signInPAT({ personalAccessToken: randomUUID() }),
  ],
  ['disabled-endpoint', ({ auth }) => auth.signIn(), ({ auth }) => auth.signInAnonymous()],
  [
    'disabled-endpoint',
    ({ auth }) => auth.signInIdToken({ provider: 'google', idToken: 'none' }),
    ({ auth }) => auth.signInIdToken({ provider: 'google', idToken: 'none' }),
  ],
  [
    'unauthorized',
    ({ auth }) => auth.createPAT(IN_AN_HOUR),
    ({ auth }) => auth.createPAT({ expiresAt: IN_AN_HOUR.toISOString() }),
  ],
  [
    'unauthorized',
    ({ auth }) => auth.changeEmail({ newEmail: newEmail() }),
    ({ auth }) => auth.changeUserEmail({ newEmail: newEmail() }),
  ],
];

beforeAll(async () => {
  await connectNhost4(longshore.url).auth.signUpEmailPassword({ email: TAKEN, password: PASSWORD });
});

describe.each(NHOST_3)('%s', (name) => {
  const connect = () => connectNhost3(name, longshore.url);

  it.each(ERRORS)("reports the server's error %s", async (code, send) => {
    expect(await send(connect())).toMatchObject({ error: authError(code) });
  });

  it('reports a rate limit as such, not as a network error', async () => {
    const credentials = { email: newEmail(), password: 'wrong' };
    const attempts = Array.from({ length: 12 }, () => connect().auth.signIn(credentials));
    const results: { error: { error: string } }[] = await Promise.all(attempts);
    const errors = results.map(({ error }) => error.error);
    expect(new Set(errors)).toEqual(new Set(['invalid-email-password', 'too-many-requests']));
  });
});

describe('nhost-js 4', () => {
  it.each(ERRORS)("reports the server's error %s", async (code, _, send) => {
    const error = authError(code);
    await expect(send(connectNhost4(longshore.url))).rejects.toMatchObject({
      status: error.status,
      body: error,
      message: error.message,
    });
  });

  it('reports a rate limit as such', async () => {
    const credentials = { email: newEmail(), password: 'wrong' };
    const attempts = Array.from({ length: 12 }, () =>
      connectNhost4(longshore.url).auth.signInEmailPassword(credentials),
    );
    const statuses = (await Promise.allSettled(attempts)).map(
      (settled) => settled.status === 'rejected' && settled.reason.status,
    );
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
  });
});

function newCredentials() {
  return { email: newEmail(), password: PASSWORD };
}
