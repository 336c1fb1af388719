import { AUTH_PATHS, SERVICE_PATHS, type Session } from '@longshore/contract';
import type { PublicKeyCredentialCreationOptionsJSON as CreationOptions } from '@simplewebauthn/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../../test/auth/endpoints.ts';
import { createBrowser } from '../../../test/auth/providers/browser.ts';
import { type OpenidHost, startOpenidHost } from '../../../test/auth/providers/openid-host.ts';
import { type Backend, bearer, startBackend, stopWithoutErrors } from '../../../test/backend.ts';
import { createTestDatabase } from '../../../test/db/test-database.ts';
import { softwareAuthenticator } from '../../../test/software-authenticator.ts';
import { migrate } from '../../db/migrate.ts';

type PathName = keyof typeof AUTH_PATHS;

const AUTH = SERVICE_PATHS.auth[0];
const email = 'eve@example.com';
const password = 'correct horse';
const phoneNumber = '+4915112345678';

/** The same database before others could reach it: whoever was anonymous then still is. */
let local: Backend;
let backend: Backend;
let host: OpenidHost;
let anonymous: Session;
beforeAll(async () => {
  host = await startOpenidHost();
  const settings = { providers: { google: host.client } };
  const database = await createTestDatabase(migrate);
  local = await startBackend({ settings, database: { ...database, drop: async () => {} } });
  const { body } = await local.post<{ session: Session }>(`${AUTH}/signin/anonymous`, '');
  backend = await startBackend({ settings, database, isExposed: true });
  const { refreshToken } = body.session;
  anonymous = (await backend.post<Session>(`${AUTH}/token`, { refreshToken })).body;
});
afterAll(async () => {
  await stopWithoutErrors(local);
  await stopWithoutErrors(backend);
  await host.stop();
});

async function post(name: PathName, body: unknown, headers?: Record<string, string>) {
  return (await backend.post(`${AUTH}${AUTH_PATHS[name]}`, body, headers)).body.error;
}

async function travel(name: PathName) {
  const start = `${AUTH}${AUTH_PATHS[name].replace(':provider', 'google')}`;
  return (await createBrowser(backend).travel(start)).searchParams.get('error');
}

async function withIdToken(name: PathName) {
  return await post(name, {
    provider: 'google',
    idToken: await host.idToken(createBrowser(backend)),
  });
}

async function verifyKey() {
  const begin = `${AUTH}${AUTH_PATHS.signUpWebauthn}`;
  const { body: options } = await local.post<CreationOptions>(begin, { email });
  const credential = softwareAuthenticator().create(options);
  return await post('signUpWebauthnVerify', { credential });
}

/** Each answers the error it met. A new path does not compile until it is said whether it may make an account. */
const WAYS_IN: Record<PathName, 'makes none' | (() => Promise<unknown>)> = {
  signUpEmailPassword: () => post('signUpEmailPassword', { email, password }),
  signUpWebauthn: () => post('signUpWebauthn', { email }),
  signUpWebauthnVerify: verifyKey,
  signInAnonymous: () => post('signInAnonymous', {}),
  deanonymize: () =>
    post('deanonymize', { signInMethod: 'email-password', email, password }, bearer(anonymous)),
  signInOtpEmail: () => post('signInOtpEmail', { email }),
  signUpOtpEmail: () => post('signUpOtpEmail', { email }),
  signInPasswordlessEmail: () => post('signInPasswordlessEmail', { email }),
  signUpPasswordlessEmail: () => post('signUpPasswordlessEmail', { email }),
  signInPasswordlessSms: () => post('signInPasswordlessSms', { phoneNumber }),
  signUpPasswordlessSms: () => post('signUpPasswordlessSms', { phoneNumber }),
  signInProvider: () => travel('signInProvider'),
  signUpProvider: () => travel('signUpProvider'),
  signInProviderCallback: () => travel('signInProvider'),
  signInIdToken: () => withIdToken('signInIdToken'),
  signUpIdToken: () => withIdToken('signUpIdToken'),
  signInEmailPassword: 'makes none',
  signInWebauthn: 'makes none',
  signInWebauthnVerify: 'makes none',
  signInOtpEmailVerify: 'makes none',
  signInPasswordlessSmsOtp: 'makes none',
  signInMfaTotp: 'makes none',
  signInPat: 'makes none',
  linkIdToken: 'makes none',
  verify: 'makes none',
  addSecurityKey: 'makes none',
  addSecurityKeyVerify: 'makes none',
  elevateWebauthn: 'makes none',
  elevateWebauthnVerify: 'makes none',
  securityKeys: 'makes none',
  securityKey: 'makes none',
  createPat: 'makes none',
  pats: 'makes none',
  pat: 'makes none',
  generateTotp: 'makes none',
  changeMfa: 'makes none',
  changePassword: 'makes none',
  resetPassword: 'makes none',
  changeEmail: 'makes none',
  sendVerificationEmail: 'makes none',
  providerTokens: 'makes none',
  refreshProviderTokens: 'makes none',
  token: 'makes none',
  verifyToken: 'makes none',
  tokenExchange: 'makes none',
  signOut: 'makes none',
  user: 'makes none',
  sessions: 'makes none',
  session: 'makes none',
  events: 'makes none',
  jwks: 'makes none',
  health: 'makes none',
  version: 'makes none',
};

const usersOf = async ({ db }: Backend) =>
  await db.selectFrom('auth.users').select(['id', 'is_anonymous']).execute();

async function expectNobodyNew(): Promise<void> {
  expect(await usersOf(backend)).toEqual([{ id: anonymous.user.id, is_anonymous: true }]);
  expect([backend.mails, backend.texts]).toEqual([[], []]);
}

describe('before the first account, where others can come first', () => {
  const ways = Object.entries(WAYS_IN).flatMap(([name, way]) =>
    way === 'makes none' ? [] : [[name, way] as const],
  );
  it.each(ways)('%s is refused without the code', async (_, way) => {
    expect(await way()).toBe('setup-code-required');
    await expectNobodyNew();
  });

  it.each(Object.keys(WAYS_IN) as PathName[])('a good request to %s adds nobody', async (name) => {
    const { method, required, optional } = ENDPOINTS[name];
    const path = `${AUTH}${AUTH_PATHS[name].replace(/:\w+/, 'google')}`;
    const body = method === 'POST' ? { body: JSON.stringify({ ...required, ...optional }) } : {};
    for (const headers of [{}, bearer(anonymous)]) {
      const { status } = await backend.app.request(path, { method, headers, ...body });
      expect(status).toBeLessThan(500);
    }
    await expectNobodyNew();
  });
});

describe('after it', () => {
  beforeAll(async () => {
    const setupCode = backend.auth.setupCode?.reveal();
    const first = { email: 'ada@example.com', password, setupCode };
    expect(await post('signUpEmailPassword', first)).toBeUndefined();
  });

  it.each([
    ['signUpEmailPassword', { email: 'bob@example.com', password }],
    ['signInAnonymous', {}],
    ['signInOtpEmail', { email: 'cleo@example.com' }],
    ['signInPasswordlessSms', { phoneNumber }],
  ] as const)('%s asks for nothing more', async (name, body) => {
    const before = (await usersOf(backend)).length;
    expect(await post(name, body)).toBeUndefined();
    expect(await usersOf(backend)).toHaveLength(before + 1);
  });

  it('signs up with a provider and with a key as anywhere', async () => {
    expect(await withIdToken('signInIdToken')).toBeUndefined();
    expect(await verifyKey()).toBeUndefined();
  });
});
