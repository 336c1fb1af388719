import { AUTH_PATHS, type Session } from '@longshore/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../../test/auth/endpoints.ts';
import { makeProofStale } from '../../../test/auth/stale-proof.ts';
import { type Backend, bearer, startBackend, stopWithoutErrors } from '../../../test/backend.ts';
import { Secret } from '../../secrets/secret.ts';

type PathName = keyof typeof AUTH_PATHS;

const HOST = 'https://github.example';

let backend: Backend;
beforeAll(async () => {
  const github = { url: HOST, clientId: 'longshore', clientSecret: new Secret('github secret') };
  backend = await startBackend({ settings: { providers: { github } } });
});
afterAll(() => stopWithoutErrors(backend));

/**
 * `fresh-proof`: changes who can sign in, and needs a fresh proof of identity. `proof`: proves it, which sessions of
 * personal access tokens cannot. A path without an entry is a compile error.
 */
const REQUIREMENTS: Record<PathName, 'fresh-proof' | 'proof' | 'none'> = {
  changePassword: 'fresh-proof',
  changeEmail: 'fresh-proof',
  addSecurityKey: 'fresh-proof',
  addSecurityKeyVerify: 'fresh-proof',
  securityKey: 'fresh-proof',
  createPat: 'fresh-proof',
  pats: 'fresh-proof',
  generateTotp: 'fresh-proof',
  changeMfa: 'fresh-proof',
  generateRecoveryCodes: 'fresh-proof',
  linkIdToken: 'fresh-proof',
  proofStatus: 'proof',
  elevatePassword: 'proof',
  elevateTotp: 'proof',
  elevateOtpEmail: 'proof',
  elevateOtpEmailVerify: 'proof',
  elevateWebauthn: 'proof',
  elevateWebauthnVerify: 'proof',
  // Take access away.
  pat: 'none',
  session: 'none',
  signOut: 'none',
  // Read what cannot be used to sign in.
  user: 'none',
  sessions: 'none',
  events: 'none',
  securityKeys: 'none',
  recoveryCodes: 'none',
  jwks: 'none',
  health: 'none',
  version: 'none',
  // An anonymous user has nothing to prove identity with.
  deanonymize: 'none',
  // With `connect`, the browser is redirected with the error; see below.
  signInProvider: 'none',
  signUpProvider: 'none',
  signInProviderCallback: 'none',
  // Provider tokens exist for minutes after a sign-in only.
  providerTokens: 'none',
  refreshProviderTokens: 'none',
  // Sign in, or prove something by themselves.
  signUpEmailPassword: 'none',
  signInEmailPassword: 'none',
  signUpWebauthn: 'none',
  signUpWebauthnVerify: 'none',
  signInWebauthn: 'none',
  signInWebauthnVerify: 'none',
  signInAnonymous: 'none',
  signInPat: 'none',
  signInMfaTotp: 'none',
  signInOtpEmail: 'none',
  signUpOtpEmail: 'none',
  signInOtpEmailVerify: 'none',
  signInPasswordlessSms: 'none',
  signUpPasswordlessSms: 'none',
  signInPasswordlessSmsOtp: 'none',
  signInPasswordlessEmail: 'none',
  signUpPasswordlessEmail: 'none',
  verify: 'none',
  resetPassword: 'none',
  sendVerificationEmail: 'none',
  signInIdToken: 'none',
  signUpIdToken: 'none',
  token: 'none',
  verifyToken: 'none',
  tokenExchange: 'none',
};

const NAMES = Object.keys(REQUIREMENTS) as PathName[];
const SENSITIVE = NAMES.filter((name) => REQUIREMENTS[name] === 'fresh-proof');
const isRefused = (error: unknown) =>
  error === 'reauthentication-required' || error === 'forbidden-personal-access-token';

/** The error of a valid request in this session. Undefined if it succeeds, or redirects. */
async function errorOf(name: PathName, session: Session): Promise<string | undefined> {
  const { method, required } = ENDPOINTS[name];
  const path = AUTH_PATHS[name].replace(':provider', 'github').replace(':id', crypto.randomUUID());
  const response = await backend.app.request(`/v1/auth${path}`, {
    method,
    headers: { ...bearer(session), 'content-type': 'application/json' },
    ...(method === 'POST' ? { body: JSON.stringify(required ?? {}) } : {}),
  });
  const text = await response.text();
  const body = text.startsWith('{') ? JSON.parse(text) : {};
  if (isRefused(body.error)) expect(response.status).toBe(403);
  return body.error;
}

async function staleSession(): Promise<Session> {
  const session = await backend.signUp();
  await makeProofStale(backend, session);
  return session;
}

async function tokenSession(owner: Session): Promise<Session> {
  const { body } = await backend.post<{ personalAccessToken: string }>(
    '/v1/auth/pat',
    { expiresAt: '2099-01-01T00:00:00Z' },
    bearer(owner),
  );
  const signIn = await backend.post<{ session: Session }>('/v1/auth/signin/pat', body);
  return signIn.body.session;
}

describe('an endpoint of the auth service', () => {
  it.each(NAMES)('%s requires a proof of identity if it must', async (name) => {
    const error = await errorOf(name, await staleSession());
    const isSensitive = REQUIREMENTS[name] === 'fresh-proof';
    if (isSensitive) expect(error).toBe('reauthentication-required');
    else expect(isRefused(error)).toBe(false);
  });

  it.each(SENSITIVE)('%s accepts a session that was just opened', async (name) => {
    expect(isRefused(await errorOf(name, await backend.signUp()))).toBe(false);
  });

  it.each(NAMES)('%s refuses sessions of personal access tokens if it must', async (name) => {
    const error = await errorOf(name, await tokenSession(await backend.signUp()));
    if (REQUIREMENTS[name] === 'none') expect(isRefused(error)).toBe(false);
    else expect(error).toBe('forbidden-personal-access-token');
  });
});

it('does not renew a proof by refreshing the session', async () => {
  const session = await staleSession();
  const { refreshToken } = session;
  const { body } = await backend.post<Session>('/v1/auth/token', { refreshToken });
  expect(await errorOf('createPat', body)).toBe('reauthentication-required');
});

it('requires a proof after ten minutes by the clock of the server', async () => {
  const session = await backend.signUp();
  backend.clock.ahead = 10 * 60_000 - 5_000;
  expect(await errorOf('pats', session)).toBeUndefined();
  backend.clock.ahead = 10 * 60_000 + 5_000;
  const error = await errorOf('pats', session);
  backend.clock.ahead = 0;
  expect(error).toBe('reauthentication-required');
});

it('requires a proof in sessions from before the records of proofs', async () => {
  const session = await backend.signUp();
  await backend.pool.query(
    'update auth.refresh_tokens set proved_at = null, proved_by = null where id = $1',
    [session.refreshTokenId],
  );
  expect(await errorOf('createPat', session)).toBe('reauthentication-required');
});

describe('linking a provider account', () => {
  const locationFor = async (connect: string) => {
    const path = `/v1/auth/signin/provider/github?${new URLSearchParams({ connect })}`;
    return (await backend.request(path)).headers.get('location');
  };

  it('requires a fresh proof', async () => {
    const session = await backend.signUp();
    expect(await locationFor(session.accessToken)).toContain(HOST);
    await makeProofStale(backend, session);
    expect(await locationFor(session.accessToken)).toContain('error=reauthentication-required');
  });

  it('refuses sessions of personal access tokens', async () => {
    const session = await tokenSession(await backend.signUp());
    expect(await locationFor(session.accessToken)).toContain(
      'error=forbidden-personal-access-token',
    );
  });
});

describe('the ticket of a reset mail', () => {
  it('changes the password in a session without a fresh proof', async () => {
    const session = await staleSession();
    const email = session.user.email ?? '';
    await backend.post('/v1/auth/user/password/reset', { email });
    await expect.poll(() => backend.mails.some(({ to }) => to === email)).toBe(true);
    const link = backend.mails.find(({ to }) => to === email)?.link ?? '';
    const ticket = new URL(link).searchParams.get('ticket');
    const body = { newPassword: 'another horse', ticket };
    expect((await backend.post('/v1/auth/user/password', body, bearer(session))).status).toBe(200);
  });
});
