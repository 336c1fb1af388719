import { AUTH_PATHS, SERVICE_PATHS, type Session } from '@longshore/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../../test/auth/endpoints.ts';
import { type OpenidHost, startOpenidHost } from '../../../test/auth/providers/openid-host.ts';
import { type PathName, signUpsOf } from '../../../test/auth/sign-ups.ts';
import { type Backend, bearer, startBackend, stopWithoutErrors } from '../../../test/backend.ts';
import { createTestDatabase } from '../../../test/db/test-database.ts';
import { migrate } from '../../db/migrate.ts';

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

const usersOf = async ({ db }: Backend) =>
  await db.selectFrom('auth.users').select(['id', 'is_anonymous']).execute();

async function expectNoNewUser(): Promise<void> {
  expect(await usersOf(backend)).toEqual([{ id: anonymous.user.id, is_anonymous: true }]);
  expect([backend.mails, backend.texts]).toEqual([[], []]);
}

const signUps = signUpsOf(() => ({ backend, local, host, anonymous, email }));

async function post(name: PathName, body: unknown) {
  return (await backend.post(`${AUTH}${AUTH_PATHS[name]}`, body)).body.error;
}

describe('an exposed server without an account', () => {
  it.each(signUps)('%s is refused without the code', async (_, signUp) => {
    expect(await signUp()).toBe('setup-code-required');
    await expectNoNewUser();
  });

  it.each(Object.keys(AUTH_PATHS) as PathName[])(
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

  it.each(signUps.filter(([name]) => name === 'signInIdToken' || name === 'signUpWebauthnVerify'))(
    '%s needs no code',
    async (_, signUp) => {
      expect(await signUp()).toBeUndefined();
    },
  );
});
