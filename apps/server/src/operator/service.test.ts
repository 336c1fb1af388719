import { randomUUID } from 'node:crypto';
import type {
  AuditPage,
  Invitation,
  NewInvitation,
  Session,
  SystemHealth,
  UserPage,
} from '@longshore/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Backend, bearer, startBackend, stopWithoutErrors } from '../../test/backend.ts';
import { changeOperator } from '../auth/first-account/operators.ts';

const PATH = '/v1/operator';
const MIB = 1024 ** 2;
const DEFAULTS = { apps: null, memoryBytes: null, cpus: null, builds: null, diskBytes: null };

let backend: Backend;
let ada: Session;
let eve: Session;
beforeAll(async () => {
  backend = await startBackend({ quota: { apps: 5 }, usedBytes: async () => 3 * MIB });
  ada = await backend.signUp('ada@example.com');
  eve = await backend.signUp('eve@example.com');
});
afterAll(() => stopWithoutErrors(backend));

async function send<T = Record<string, unknown>>(
  method: string,
  path: string,
  body?: unknown,
  session = ada,
) {
  const init = { method, headers: bearer(session) };
  return await backend.request<T>(
    `${PATH}${path}`,
    body === undefined ? init : { ...init, body: JSON.stringify(body) },
  );
}

const lastEvent = async () =>
  (await send<AuditPage>('GET', '/events')).body.events[0] as AuditPage['events'][number];

describe('the caller', () => {
  it('needs a session', async () => {
    expect((await backend.request(`${PATH}/health`)).status).toBe(401);
  });

  it('must be an operator at the time of the request', async () => {
    expect((await send('GET', '/users', undefined, eve)).status).toBe(404);
    await changeOperator(backend.db, { email: 'eve@example.com', isOperator: true });
    expect((await send('GET', '/users', undefined, eve)).status).toBe(200);
    await changeOperator(backend.db, { email: 'eve@example.com', isOperator: false });
    expect((await send('GET', '/users', undefined, eve)).status).toBe(404);
  });

  it('does not become one by metadata or roles', async () => {
    const options = { metadata: { is_operator: true, role: 'operator' } };
    const body = { email: 'mallory@example.com', password: 'correct horse', options };
    const sent = await backend.post<{ session: Session }>('/v1/auth/signup/email-password', body);
    expect((await send('GET', '/users', undefined, sent.body.session)).status).toBe(404);
  });
});

it('changes nothing without a recent proof of identity', async () => {
  const session = backend.db.updateTable('auth.refresh_tokens');
  const proveAt = (provedAt: Date) =>
    session.set({ proved_at: provedAt }).where('id', '=', ada.refreshTokenId).execute();
  await proveAt(new Date(Date.now() - 11 * 60_000));
  const { body } = await send('PUT', '/sign-up', { mode: 'closed' });
  expect(body).toMatchObject({ status: 403, error: 'reauthentication-required' });
  expect((await send('GET', '/sign-up')).body).toMatchObject({ mode: 'open' });
  await proveAt(new Date());
});

describe('sign-up', () => {
  it('is open by default, and changes at once', async () => {
    const open = { mode: 'open', domains: [], isConfigured: false };
    expect((await send('GET', '/sign-up')).body).toEqual(open);
    const { body } = await send('PUT', '/sign-up', { mode: 'domains', domains: ['@Example.ORG'] });
    expect(body).toEqual({ mode: 'domains', domains: ['example.org'], isConfigured: false });
    expect(await lastEvent()).toMatchObject({
      kind: 'sign-up-mode-changed',
      name: 'ada@example.com',
      details: { mode: 'domains', domains: 'example.org' },
    });
    expect(await backend.signUp()).toBeUndefined();
    await send('PUT', '/sign-up', { mode: 'open' });
    expect(await backend.signUp()).toBeDefined();
  });

  it.each([
    [{ mode: 'domains', domains: [] }, 'Enter at least one domain.'],
    [{ mode: 'domains', domains: ['a b'] }, '"a b" is not a domain such as example.com.'],
    [{ mode: 'nobody' }, 'The request payload is incorrect'],
    [{}, 'The request payload is incorrect'],
  ])('refuses %j and changes nothing', async (body, message) => {
    expect((await send('PUT', '/sign-up', body)).body).toMatchObject({ status: 400, message });
    expect((await send('GET', '/sign-up')).body).toMatchObject({ mode: 'open' });
  });

  it('cannot be changed where LONGSHORE_SIGN_UP is set', async () => {
    const fixed = await startBackend({ signUp: { mode: 'invite', domains: [] } });
    const session = await fixed.signUp();
    const init = { method: 'PUT', headers: bearer(session), body: '{"mode":"open"}' };
    expect((await fixed.request(`${PATH}/sign-up`, init)).status).toBe(409);
    const state = await fixed.request(`${PATH}/sign-up`, { headers: bearer(session) });
    expect(state.body).toEqual({ mode: 'invite', domains: [], isConfigured: true });
    await stopWithoutErrors(fixed);
  });
});

describe('invitations', () => {
  const list = async () =>
    (await send<{ invitations: Invitation[] }>('GET', '/invitations')).body.invitations;

  it('have a link below the public URL with the token in its fragment', async () => {
    const { body } = await send<NewInvitation>('POST', '/invitations', {
      email: 'Bob@example.com',
    });
    const link = new URL(body.link);
    expect(`${link.origin}${link.pathname}${link.search}`).toBe('http://localhost:1337/signup');
    const fragment = new URLSearchParams(link.hash.slice(1));
    expect(fragment.get('email')).toBe('bob@example.com');
    expect(body).toMatchObject({ mail: 'not-configured', invitation: { state: 'open' } });
    expect(JSON.stringify(await list())).not.toContain(fragment.get('invitation'));
    expect(JSON.stringify(await lastEvent())).not.toContain(fragment.get('invitation'));

    const used = await backend.post('/v1/auth/signup/email-password', {
      email: 'bob@example.com',
      password: 'correct horse',
      invitation: fragment.get('invitation'),
    });
    expect(used.status).toBe(200);
    expect(await list()).toMatchObject([{ email: 'bob@example.com', state: 'accepted' }]);
  });

  it('are sent again with new links, and revoked', async () => {
    const first = await send<NewInvitation>('POST', '/invitations', { email: 'carol@example.com' });
    const { id } = first.body.invitation;
    const second = await send<NewInvitation>('POST', `/invitations/${id}/send`);
    expect(second.body.invitation.id).toBe(id);
    expect(second.body.link).not.toBe(first.body.link);
    expect((await send('DELETE', `/invitations/${id}`)).status).toBe(200);
    expect((await list())[0]).toMatchObject({ email: 'carol@example.com', state: 'revoked' });
    expect((await send('DELETE', `/invitations/${id}`)).status).toBe(404);
    expect((await send('POST', `/invitations/${id}/send`)).status).toBe(404);
  });

  it('are refused for addresses with an account and for invalid ones', async () => {
    const taken = await send('POST', '/invitations', { email: 'eve@example.com' });
    expect(taken.body).toMatchObject({ status: 409, error: 'user-already-exists' });
    expect((await send('POST', '/invitations', { email: 'eve' })).status).toBe(400);
  });

  it('are mailed with another link than the one to copy', async () => {
    const withMail = await startBackend({ hasMailServer: true });
    const session = await withMail.signUp();
    const init = { method: 'POST', headers: bearer(session), body: '{"email":"dan@example.com"}' };
    const { body } = await withMail.request<NewInvitation>(`${PATH}/invitations`, init);
    expect(body.mail).toBe('sent');
    expect(withMail.mails).toMatchObject([{ to: 'dan@example.com', purpose: 'invitation' }]);
    expect(withMail.mails[0]?.link).not.toBe(body.link);
    await stopWithoutErrors(withMail);
  });
});

describe('users', () => {
  const find = async (search: string) =>
    (await send<UserPage>('GET', `/users?search=${encodeURIComponent(search)}`)).body;

  it('are listed with usage and limits, without secrets', async () => {
    const { users, total } = await find('EVE@');
    expect(total).toBe(1);
    expect(users).toMatchObject([
      {
        name: 'eve@example.com',
        role: 'user',
        isVerified: false,
        hasSecondFactor: false,
        isDisabled: false,
        quotas: DEFAULTS,
        usage: { apps: { used: 0, limit: 5 }, diskBytes: { used: 3 * MIB, limit: null } },
      },
    ]);
    expect(users[0]?.lastSignInAt).not.toBeNull();
    expect(JSON.stringify(users)).not.toMatch(/hash|password|secret/i);
  });

  it('are found by text, not by patterns', async () => {
    expect((await find('%')).total).toBe(0);
    expect((await find('e_e@')).total).toBe(0);
  });

  it('are listed in pages', async () => {
    await backend.pool.query(
      `insert into auth.users (email, display_name) select 'u' || n || '@pages.example', '' from generate_series(1, 45) as n`,
    );
    const page = async (at: number) =>
      (await send<UserPage>('GET', `/users?search=pages.example&page=${at}`)).body;
    const pages = [await page(0), await page(1), await page(2)];
    expect(pages.map(({ users }) => users.length)).toEqual([20, 20, 5]);
    const ids = pages.flatMap(({ users }) => users.map(({ id }) => id));
    expect(new Set(ids).size).toBe(45);
  });

  it('get their own quotas, which apply at once', async () => {
    const { id } = eve.user;
    const path = `/users/${id}/quotas`;
    expect((await send('PUT', path, { ...DEFAULTS, apps: 1, diskBytes: 0 })).status).toBe(200);
    expect(await backend.quotas.quotaOf(backend.db, id)).toMatchObject({
      apps: 1,
      builds: Infinity,
    });
    expect(backend.changedQuotas).toEqual([id]);
    expect((await find('eve@')).users[0]?.quotas).toEqual({ ...DEFAULTS, apps: 1, diskBytes: 0 });
    expect(await lastEvent()).toMatchObject({
      kind: 'quotas-changed',
      details: { whom: 'eve@example.com', limits: 'apps 1, diskBytes 0' },
    });
    expect((await send('PUT', path, DEFAULTS)).status).toBe(200);
    expect((await backend.quotas.quotaOf(backend.db, id)).apps).toBe(5);
  });

  it.each([{ ...DEFAULTS, apps: -1 }, { ...DEFAULTS, apps: 1.5 }, { apps: 1 }, {}])(
    'refuse the quotas %j',
    async (quotas) => {
      expect((await send('PUT', `/users/${eve.user.id}/quotas`, quotas)).status).toBe(400);
    },
  );

  it('lose every access when they are disabled, until they are enabled', async () => {
    const frank = await backend.signUp('frank@example.com');
    const pat = { expiresAt: '2099-01-01T00:00:00Z' };
    const created = await backend.post<{ personalAccessToken: string }>(
      '/v1/auth/pat',
      pat,
      bearer(frank),
    );
    const { personalAccessToken } = created.body;
    expect((await send('POST', `/users/${frank.user.id}/disable`)).status).toBe(200);
    expect(await lastEvent()).toMatchObject({
      kind: 'user-disabled',
      details: { whom: 'frank@example.com' },
    });
    const statuses = async () => ({
      token: (await backend.post('/v1/auth/token', { refreshToken: frank.refreshToken })).status,
      pat: (await backend.post('/v1/auth/signin/pat', { personalAccessToken })).status,
      password: (
        await backend.post('/v1/auth/signin/email-password', {
          email: 'frank@example.com',
          password: 'correct horse',
        })
      ).status,
      sessions: (await backend.request('/v1/auth/sessions', { headers: bearer(frank) })).status,
    });
    expect(await statuses()).toEqual({ token: 401, pat: 401, password: 401, sessions: 401 });
    expect((await send('POST', `/users/${frank.user.id}/enable`)).status).toBe(200);
    expect(await statuses()).toEqual({ token: 401, pat: 200, password: 200, sessions: 401 });
  });

  it('do not include the operator among those who can be disabled', async () => {
    const { body } = await send('POST', `/users/${ada.user.id}/disable`);
    expect(body).toMatchObject({ status: 409, error: 'self' });
    for (const id of [randomUUID(), 'nobody'])
      expect((await send('POST', `/users/${id}/disable`)).status).toBe(404);
  });
});

it('reports the health of the installation', async () => {
  const { body } = await send<SystemHealth>('GET', '/health');
  expect(body).toMatchObject({
    version: '0.1.0',
    nodeVersion: process.version,
    engine: { kind: 'process', version: null },
    edge: { build: '0123456789abcdef', workers: 1 },
    missingIsolation: [],
    builds: { running: 0, waiting: 0 },
  });
  expect(body.database.bytes).toBeGreaterThan(1_000_000);
  expect(body.disk?.totalBytes).toBeGreaterThan(body.disk?.usedBytes ?? Infinity);
});

it('filters and pages audit events, newest first', async () => {
  await backend.pool.query(
    `insert into auth.events (kind, user_id) select 'elevated', $1 from generate_series(1, 120)`,
    [eve.user.id],
  );
  const seen: string[] = [];
  let before: string | null = '';
  while (before !== null) {
    const query = new URLSearchParams({ kind: 'elevated', user: 'Eve@example.com', before });
    const { body }: { body: AuditPage } = await send<AuditPage>('GET', `/events?${query}`);
    seen.push(...body.events.map(({ id }) => id));
    before = body.next;
  }
  expect(seen).toHaveLength(120);
  expect(seen).toEqual(seen.toSorted((a, b) => Number(b) - Number(a)));
});
