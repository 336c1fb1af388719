import { AUTH_PATHS } from '@longshore/contract';
import {
  createFakeAuthBackend,
  createMemoryStorage,
  createSimulatedClock,
  FAKE_OTP,
  FAKE_PASSWORD,
} from '@longshore/testkit';
import { describe, expect, it } from 'vitest';
import { createAuthApi } from '../auth/auth-api.ts';
import { createAuth } from '../auth/create-auth.ts';
import type { SecurityKeys } from '../ports.ts';
import type { Account } from './account.ts';
import { createAccount } from './create-account.ts';

const email = 'ada@example.com';
const url = 'http://backend/v1/auth';
const redirectTo = 'https://console.example.com/next?plan=small';
const options = { redirectTo: '/next' };
const resolved = { options: { redirectTo } };

type FlowName = 'changeEmail' | 'changePassword' | 'resetPassword' | 'sendVerificationEmail';

const FLOWS: [FlowName, unknown, string, unknown][] = [
  [
    'changeEmail',
    { newEmail: email, options },
    AUTH_PATHS.changeEmail,
    { newEmail: email, ...resolved },
  ],
  ['changePassword', { newPassword: 'abc' }, AUTH_PATHS.changePassword, { newPassword: 'abc' }],
  [
    'changePassword',
    { newPassword: 'abc', ticket: 'passwordReset:1' },
    AUTH_PATHS.changePassword,
    { newPassword: 'abc', ticket: 'passwordReset:1' },
  ],
  ['resetPassword', { email, options }, AUTH_PATHS.resetPassword, { email, ...resolved }],
  [
    'sendVerificationEmail',
    { email, options },
    AUTH_PATHS.sendVerificationEmail,
    { email, ...resolved },
  ],
];

const LISTS = [
  'currentUser',
  'listSessions',
  'listSecurityEvents',
  'listSecurityKeys',
  'listPersonalAccessTokens',
] as const;

describe('a flow of the account', () => {
  it.each(FLOWS)('%s with %j calls %s and ends in success', async (name, request, path, body) => {
    const { account, backend } = await start();
    const states = watch(account, name);
    expect(await requestOf(account, name)(request)).toEqual({ ok: true });
    expect(backend.lastBody(path)).toEqual(body);
    expect(states).toEqual(['idle', 'requesting', 'success']);
  });

  it.each(FLOWS)('%s with %j ends in error, and can be repeated', async (name, request) => {
    const { account, backend } = await start();
    backend.failNext(1, { status: 400, error: 'no', message: 'No' });
    const states = watch(account, name);
    expect(await requestOf(account, name)(request)).toMatchObject({
      ok: false,
      error: { message: 'No' },
    });
    expect(await requestOf(account, name)(request)).toEqual({ ok: true });
    expect(states).toEqual(['idle', 'requesting', 'error', 'requesting', 'success']);
  });

  it.each<[FlowName, unknown, string]>([
    ['changeEmail', { newEmail: 'ada' }, 'Email is incorrectly formatted'],
    ['changePassword', { newPassword: 'ab' }, 'Password is incorrectly formatted'],
    ['resetPassword', { email: '' }, 'Email is incorrectly formatted'],
    ['sendVerificationEmail', { email: 'a@b' }, 'Email is incorrectly formatted'],
  ])('%s with %j fails without a request: %s', async (name, request, message) => {
    const { account, backend } = await start();
    const before = backend.calls().length;
    expect(await requestOf(account, name)(request)).toMatchObject({
      ok: false,
      error: { status: 10, message },
    });
    expect(backend.calls()).toHaveLength(before);
  });

  it('joins a request that is already running', async () => {
    const { account, backend } = await start();
    await Promise.all([
      account.resetPassword.request({ email }),
      account.resetPassword.request({ email }),
    ]);
    expect(backend.calls().filter((path) => path === AUTH_PATHS.resetPassword)).toHaveLength(1);
  });
});

describe('the account settings', () => {
  it('load the current user and update the auth state', async () => {
    const { account, auth, backend } = await start();
    backend.changeUsers({ displayName: 'Ada Lovelace', activeMfaType: 'totp' });
    const states: unknown[] = [];
    auth.subscribe(() => states.push(auth.state()));
    const result = await account.currentUser();
    const user = { email, displayName: 'Ada Lovelace', activeMfaType: 'totp' };
    expect(result).toMatchObject({ ok: true, data: user });
    expect(states).toEqual([auth.state()]);
    expect(auth.state()).toMatchObject({ kind: 'signed-in', user });
    expect(backend.lastHeaders(AUTH_PATHS.user).authorization).toMatch(/^Bearer access-/);
  });

  it('list and end sessions', async () => {
    const { account } = await start();
    const before = await account.listSessions();
    expect(before).toMatchObject({
      ok: true,
      data: [
        { id: 'session-1', isCurrent: true },
        { id: 'session-2', isCurrent: false },
      ],
    });
    expect(await account.revokeSession('session-2')).toEqual({ ok: true, data: undefined });
    expect(await account.listSessions()).toMatchObject({ data: [{ id: 'session-1' }] });
  });

  it('list security events', async () => {
    const { account } = await start();
    expect(await account.listSecurityEvents()).toMatchObject({ data: [{ kind: 'signed-up' }] });
  });

  it('list and remove security keys', async () => {
    const { account } = await start();
    expect(await account.listSecurityKeys()).toMatchObject({ data: [{ nickname: 'Blue' }] });
    expect(await account.removeSecurityKey('key-1')).toMatchObject({ ok: true });
    expect(await account.listSecurityKeys()).toEqual({ ok: true, data: [] });
    expect(await account.removeSecurityKey('key-1')).toMatchObject({
      error: { status: 400, error: 'invalid-request' },
    });
  });

  it('list and revoke personal access tokens', async () => {
    const { account } = await start();
    const before = await account.listPersonalAccessTokens();
    expect(before).toMatchObject({ data: [{ id: 'pat-id-1', metadata: { for: 'ci' } }] });
    expect(await account.revokePersonalAccessToken('pat-id-1')).toMatchObject({ ok: true });
    expect(await account.listPersonalAccessTokens()).toEqual({ ok: true, data: [] });
  });

  it('encode ids in paths', async () => {
    const { account, backend } = await start();
    await account.revokeSession('../user/security-keys/key-1?x=#');
    expect(backend.calls().at(-1)).toBe(AUTH_PATHS.session);
    expect(await account.listSecurityKeys()).toMatchObject({ data: [{ id: 'key-1' }] });
  });

  it.each(LISTS)('%s treats an unexpected body as a network error', async (name) => {
    const { account } = await start({ body: { sessions: [{}], events: 1, securityKeys: null } });
    expect(await account[name]()).toMatchObject({ ok: false, error: { error: 'network' } });
  });

  it.each(LISTS)('%s returns the error of the server', async (name) => {
    const { account, backend } = await start();
    const error = { status: 403, error: 'forbidden-anonymous', message: 'Forbidden' };
    backend.failNext(1, error);
    expect(await account[name]()).toEqual({ ok: false, error });
  });
});

describe('proofs of identity', () => {
  it('are requested with their options, and sent by each method', async () => {
    const { account, backend } = await start();
    const status = { isFresh: false, options: ['password'] };
    expect(await account.proofStatus()).toEqual({ ok: true, data: status });
    const proved = { ok: true, data: undefined };
    expect(await account.proveByPassword(FAKE_PASSWORD)).toEqual(proved);
    expect(backend.lastBody(AUTH_PATHS.elevatePassword)).toEqual({ password: FAKE_PASSWORD });
    expect(await account.proveByTotp(FAKE_OTP)).toEqual(proved);
    expect(await account.sendProofCode()).toEqual(proved);
    expect(await account.proveByEmailCode(FAKE_OTP)).toEqual(proved);
    expect(backend.lastBody(AUTH_PATHS.elevateOtpEmailVerify)).toEqual({ otp: FAKE_OTP });
  });

  it('return the error of a wrong proof', async () => {
    const { account } = await start();
    expect(await account.proveByPassword('a guess')).toMatchObject({
      ok: false,
      error: { status: 401, error: 'incorrect-password' },
    });
    expect(await account.proveByEmailCode('000000')).toMatchObject({
      error: { error: 'invalid-otp' },
    });
  });

  it('by a security key keep the session', async () => {
    const { account, auth, backend } = await start();
    const before = auth.state();
    expect(await account.proveBySecurityKey()).toEqual({ ok: true, data: undefined });
    expect(backend.lastBody(AUTH_PATHS.elevateWebauthnVerify)).toMatchObject({ keepSession: true });
    expect(auth.state()).toEqual(before);
  });
});

describe('the second factor', () => {
  it('is set up with a secret, then turned on and off with a code', async () => {
    const { account, backend } = await start();
    expect(await account.generateTotp()).toMatchObject({ data: { totpSecret: 'SECRET' } });
    expect(await account.activateTotp(FAKE_OTP)).toEqual({ ok: true, data: undefined });
    expect(backend.lastBody(AUTH_PATHS.changeMfa)).toEqual({
      code: FAKE_OTP,
      activeMfaType: 'totp',
    });
    expect(await account.deactivateTotp(FAKE_OTP)).toMatchObject({ ok: true });
    expect(backend.lastBody(AUTH_PATHS.changeMfa)).toEqual({ code: FAKE_OTP, activeMfaType: '' });
  });

  it('has recovery codes, which are counted and created with a code', async () => {
    const { account, backend } = await start();
    expect(await account.countRecoveryCodes()).toEqual({ ok: true, data: 10 });
    const codes = ['2345-6789-ABCD', 'EFGH-JKLM-NPQR'];
    expect(await account.generateRecoveryCodes(FAKE_OTP)).toEqual({ ok: true, data: codes });
    expect(backend.lastBody(AUTH_PATHS.generateRecoveryCodes)).toEqual({ code: FAKE_OTP });
    expect(await account.generateRecoveryCodes('000000')).toMatchObject({
      ok: false,
      error: { error: 'invalid-totp' },
    });
  });

  it('is not turned on by a wrong code', async () => {
    const { account } = await start();
    expect(await account.activateTotp('000000')).toMatchObject({
      ok: false,
      error: { status: 401, error: 'invalid-totp' },
    });
  });
});

describe('the account of a signed-in user', () => {
  it('returns and refreshes the tokens of a provider', async () => {
    const { account, backend } = await start();
    const data = { accessToken: 'provider-token', expiresIn: 60 };
    expect(await account.takeProviderTokens('github')).toMatchObject({ ok: true, data });
    expect(await account.refreshProviderTokens('github', 'old')).toMatchObject({ data });
    expect(backend.lastBody(AUTH_PATHS.refreshProviderTokens)).toEqual({ refreshToken: 'old' });
  });

  it('creates personal access tokens', async () => {
    const { account, backend } = await start();
    const expiresAt = new Date('2030-01-01T00:00:00Z');
    expect(await account.createPersonalAccessToken({ expiresAt, metadata: { for: 'ci' } })).toEqual(
      {
        ok: true,
        data: { id: 'pat-id-1', personalAccessToken: 'pat-1' },
      },
    );
    expect(backend.lastBody(AUTH_PATHS.createPat)).toEqual({
      expiresAt: '2030-01-01T00:00:00.000Z',
      metadata: { for: 'ci' },
    });
    expect(backend.lastHeaders(AUTH_PATHS.createPat).authorization).toMatch(/^Bearer access-/);
  });

  it('links an ID token and a security key', async () => {
    const { account, backend } = await start();
    expect(await account.linkIdToken({ provider: 'google', idToken: 't' })).toMatchObject({
      ok: true,
    });
    expect(backend.lastBody(AUTH_PATHS.linkIdToken)).toEqual({ provider: 'google', idToken: 't' });
    expect(await account.addSecurityKey('Blue')).toEqual({
      ok: true,
      data: { id: 'key-1', nickname: 'Blue' },
    });
    expect(backend.lastBody(AUTH_PATHS.addSecurityKey)).toBeUndefined();
    expect(backend.lastBody(AUTH_PATHS.addSecurityKeyVerify)).toEqual({
      credential: 'created',
      nickname: 'Blue',
    });
  });

  it('is elevated with a security key, and uses the session of the response', async () => {
    const { account, auth, backend, storage } = await start();
    const before = await auth.accessToken();
    expect(await account.elevate()).toMatchObject({ ok: true });
    expect(backend.lastBody(AUTH_PATHS.elevateWebauthnVerify)).toEqual({
      email,
      credential: 'proof',
    });
    expect(await auth.accessToken()).not.toBe(before);
    expect(storage.getItem('nhostRefreshToken')).toBe('refresh-2');
  });

  it('needs an email address for the elevation', async () => {
    const { account } = await start();
    expect(await account.elevate('')).toMatchObject({
      error: { message: 'A user email is required' },
    });
  });

  it('is linked to a provider by a URL with the access token', async () => {
    const { account, auth } = await start();
    const result = await account.connectProviderUrl('github', {
      redirectTo: '/next',
      allowedRoles: ['user', 'me'],
      metadata: { a: 1 },
      defaultRole: undefined,
    });
    const target = new URL(result.ok ? result.data : '');
    expect(target.origin + target.pathname).toBe(`${url}/signin/provider/github`);
    expect(Object.fromEntries(target.searchParams)).toEqual({
      redirectTo,
      allowedRoles: 'user,me',
      metadata: '{"a":1}',
      connect: await auth.accessToken(),
    });
  });
});

it('fails without a session', async () => {
  const { account, auth } = await start();
  await auth.signOut();
  const failure = { ok: false, error: { status: 20, error: 'unauthenticated-user' } };
  expect(await account.changeEmail.request({ newEmail: email })).toMatchObject(failure);
  expect(await account.changePassword.request({ newPassword: 'abc' })).toMatchObject(failure);
  expect(await account.createPersonalAccessToken({ expiresAt: new Date() })).toMatchObject(failure);
  expect(await account.connectProviderUrl('github')).toMatchObject(failure);
  expect(await account.addSecurityKey()).toMatchObject(failure);
  expect(await account.generateTotp()).toMatchObject(failure);
  expect(await account.countRecoveryCodes()).toMatchObject(failure);
  expect(await account.generateRecoveryCodes(FAKE_OTP)).toMatchObject(failure);
  expect(await account.revokeSession('session-1')).toMatchObject(failure);
  for (const list of LISTS) expect(await account[list]()).toMatchObject(failure);
});

function watch(account: Account, name: FlowName): string[] {
  const flow = account[name];
  const states: string[] = [flow.state().kind];
  flow.subscribe(() => states.push(flow.state().kind));
  return states;
}

function requestOf(account: Account, name: FlowName) {
  return account[name].request as (request: unknown) => Promise<unknown>;
}

/** With a body, every response has this body. */
async function start({ body }: { body?: unknown } = {}) {
  const clock = createSimulatedClock();
  const storage = createMemoryStorage();
  const backend = createFakeAuthBackend({ now: () => clock.now() });
  const deps = { url, clock, fetch: backend.fetch };
  const addressBar = {
    href: () => 'https://console.example.com/profile?plan=small',
    replace: () => undefined,
  };
  const auth = createAuth({ ...deps, storage, addressBar });
  await auth.signUp({ email, password: 'secret' });
  const fetch = body === undefined ? backend.fetch : async () => Response.json(body);
  const api = createAuthApi({ ...deps, fetch });
  const account = createAccount({ url, api, auth, securityKeys, addressBar });
  return { account, auth, backend, storage };
}

const securityKeys: SecurityKeys = {
  create: async () => ({ ok: true, body: 'created' }),
  prove: async () => ({ ok: true, body: 'proof' }),
};
