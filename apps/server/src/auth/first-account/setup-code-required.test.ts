import { AUTH_PATHS, SERVICE_PATHS, type Session } from '@longshore/contract';
import type { PublicKeyCredentialCreationOptionsJSON as CreationOptions } from '@simplewebauthn/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../../test/auth/endpoints.ts';
import { createBrowser } from '../../../test/auth/providers/browser.ts';
import { type OpenidHost, startOpenidHost } from '../../../test/auth/providers/openid-host.ts';
import { softwareAuthenticator } from '../../../test/auth/software-authenticator.ts';
import { type Backend, bearer, startBackend, stopWithoutErrors } from '../../../test/backend.ts';
import { createTestDatabase } from '../../../test/db/test-database.ts';
import { migrate } from '../../db/migrate.ts';

type PathName = keyof typeof AUTH_PATHS;

const AUTH = SERVICE_PATHS.auth[0];
const email = 'eve@example.com';
const password = 'correct horse';
const phoneNumber = '+4915112345678';

/** Uses the same database, but is not exposed: it can create the anonymous user without a setup code. */
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

async function signInAtProvider(name: PathName) {
  const start = `${AUTH}${AUTH_PATHS[name].replace(':provider', 'google')}`;
  return (await createBrowser(backend).followRedirects(start)).searchParams.get('error');
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

/** Each returns the error code of its response. A path without an entry is a compile error. */
const SIGN_UPS: Record<PathName, 'creates no user' | (() => Promise<unknown>)> = {
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
  signInProvider: () => signInAtProvider('signInProvider'),
  signUpProvider: () => signInAtProvider('signUpProvider'),
  signInProviderCallback: () => signInAtProvider('signInProvider'),
  signInIdToken: () => withIdToken('signInIdToken'),
  signUpIdToken: () => withIdToken('signUpIdToken'),
  signInEmailPassword: 'creates no user',
  signInWebauthn: 'creates no user',
  signInWebauthnVerify: 'creates no user',
  signInOtpEmailVerify: 'creates no user',
  signInPasswordlessSmsOtp: 'creates no user',
  signInMfaTotp: 'creates no user',
  recoveryCodes: 'creates no user',
  generateRecoveryCodes: 'creates no user',
  signInPat: 'creates no user',
  linkIdToken: 'creates no user',
  verify: 'creates no user',
  addSecurityKey: 'creates no user',
  addSecurityKeyVerify: 'creates no user',
  elevateWebauthn: 'creates no user',
  elevateWebauthnVerify: 'creates no user',
  securityKeys: 'creates no user',
  securityKey: 'creates no user',
  createPat: 'creates no user',
  pats: 'creates no user',
  pat: 'creates no user',
  generateTotp: 'creates no user',
  changeMfa: 'creates no user',
  changePassword: 'creates no user',
  resetPassword: 'creates no user',
  changeEmail: 'creates no user',
  sendVerificationEmail: 'creates no user',
  providerTokens: 'creates no user',
  refreshProviderTokens: 'creates no user',
  token: 'creates no user',
  verifyToken: 'creates no user',
  tokenExchange: 'creates no user',
  signOut: 'creates no user',
  user: 'creates no user',
  sessions: 'creates no user',
  session: 'creates no user',
  events: 'creates no user',
  jwks: 'creates no user',
  health: 'creates no user',
  version: 'creates no user',
};

const usersOf = async ({ db }: Backend) =>
  await db.selectFrom('auth.users').select(['id', 'is_anonymous']).execute();

async function expectNoNewUser(): Promise<void> {
  expect(await usersOf(backend)).toEqual([{ id: anonymous.user.id, is_anonymous: true }]);
  expect([backend.mails, backend.texts]).toEqual([[], []]);
}

describe('an exposed server without an account', () => {
  const signUps = Object.entries(SIGN_UPS).flatMap(([name, signUp]) =>
    signUp === 'creates no user' ? [] : [[name, signUp] as const],
  );
  it.each(signUps)('%s is refused without the code', async (_, signUp) => {
    expect(await signUp()).toBe('setup-code-required');
    await expectNoNewUser();
  });

  it.each(Object.keys(SIGN_UPS) as PathName[])(
    'a valid request to %s creates no user',
    async (name) => {
      const { method, required, optional } = ENDPOINTS[name];
      const path = `${AUTH}${AUTH_PATHS[name].replace(/:\w+/, 'google')}`;
      const body = method === 'POST' ? { body: JSON.stringify({ ...required, ...optional }) } : {};
      for (const headers of [{}, bearer(anonymous)]) {
        const { status } = await backend.app.request(path, { method, headers, ...body });
        expect(status).toBeLessThan(500);
      }
      await expectNoNewUser();
    },
  );
});

describe('an exposed server with an account', () => {
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
  ] as const)('%s needs no code', async (name, body) => {
    const before = (await usersOf(backend)).length;
    expect(await post(name, body)).toBeUndefined();
    expect(await usersOf(backend)).toHaveLength(before + 1);
  });

  it('lets users sign up with a provider and with a security key', async () => {
    expect(await withIdToken('signInIdToken')).toBeUndefined();
    expect(await verifyKey()).toBeUndefined();
  });
});
