import { chartNameOf, type Session } from '@longshore/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { linkFor } from '../../test/auth/mail-links.ts';
import { type Backend, bearer, startBackend, stopWithoutErrors } from '../../test/backend.ts';
import { appValues } from '../../test/values.ts';
import { Secret } from '../secrets/secret.ts';

let backend: Backend;
beforeAll(async () => {
  const github = { url: HOST, clientId: 'longshore', clientSecret: new Secret('github secret') };
  backend = await startBackend({ settings: { providers: { github } } });
});
afterAll(() => stopWithoutErrors(backend));

const HOST = 'https://github.example';
const password = 'correct horse';
const post = (path: string, body: unknown, session: Session) =>
  backend.post(`/v1/auth${path}`, body, bearer(session));

async function signIn(email: string): Promise<Session> {
  const response = await backend.post<{ session: Session }>('/v1/auth/signin/email-password', {
    email,
    password,
  });
  return response.body.session;
}

/** Ways to end an attacker's session, whose access token stays valid for 15 minutes. */
const ENDS: [string, (owner: Session, attacker: Session) => Promise<unknown>][] = [
  [
    'the password was changed',
    (owner) => post('/user/password', { newPassword: 'another horse' }, owner),
  ],
  ['all sessions were signed out', (owner) => post('/signout', { all: true }, owner)],
  [
    'the session was revoked',
    (owner, attacker) =>
      backend.request(`/v1/auth/sessions/${attacker.refreshTokenId}`, {
        method: 'DELETE',
        headers: bearer(owner),
      }),
  ],
  [
    'the client signed out',
    (_, { refreshToken }) => backend.post('/v1/auth/signout', { refreshToken }),
  ],
];

/** Actions that would let an attacker regain access. */
const ACTIONS: [string, string, unknown][] = [
  ['change the password', '/user/password', { newPassword: 'a thief’s horse' }],
  ['change the address', '/user/email/change', { newEmail: 'thief@example.com' }],
  ['create a personal access token', '/pat', { expiresAt: '2099-01-01T00:00:00Z' }],
  ['add a security key', '/user/webauthn/add', {}],
];

describe.each(ENDS)('an access token whose session ended because %s', (reason, end) => {
  it('cannot be used to regain access', async () => {
    const email = `${reason.replaceAll(' ', '-')}@example.com`;
    const owner = await backend.signUp(email);
    const attacker = await signIn(email);
    await end(owner, attacker);
    for (const [action, path, body] of ACTIONS) {
      expect(await post(path, body, attacker), action).toMatchObject({
        status: 401,
        body: { error: 'unauthorized' },
      });
    }
  });
});

const QUERY = '{ resources { id } }';
const MUTATION = 'mutation { delete_resources(where: {}) { affected_rows } }';
const GRAPHQL_REFUSAL = { errors: [{ extensions: { code: 'invalid-jwt' } }] };

/** Requests to every service, with the response to a token whose session has ended. */
const REQUESTS: [string, string, RequestInit, unknown][] = [
  [
    'read rows',
    '/v1/graphql',
    { method: 'POST', body: JSON.stringify({ query: QUERY }) },
    GRAPHQL_REFUSAL,
  ],
  [
    'change rows',
    '/v1/graphql',
    { method: 'POST', body: JSON.stringify({ query: MUTATION }) },
    GRAPHQL_REFUSAL,
  ],
  ['delete a file', `/v1/storage/files/${crypto.randomUUID()}`, { method: 'DELETE' }, 401],
  ['run a function', '/v1/functions/hello', { method: 'POST' }, 401],
  ['read an integration', `/v1/connect/integrations/${crypto.randomUUID()}/repositories`, {}, 401],
  ['read logs', '/v1/logs', { method: 'POST', body: '{}' }, 401],
  ['read the usage', '/v1/usage', {}, 401],
  ['read the isolation', '/v1/isolation', {}, 401],
  ['read the user', '/v1/auth/user', {}, 401],
  ['check the token', '/v1/auth/token/verify', { method: 'POST', body: '{}' }, 400],
  ['sign out everywhere', '/v1/auth/signout', { method: 'POST', body: '{"all":true}' }, 400],
];

describe.each(ENDS)('an access token whose session ended because %s', (reason, end) => {
  it('is refused by every service at once', async () => {
    const email = `services-${reason.replaceAll(' ', '-')}@example.com`;
    const owner = await backend.signUp(email);
    const attacker = await signIn(email);
    const send = async (path: string, init: RequestInit) => {
      const headers = { ...bearer(attacker), 'content-type': 'application/json' };
      const response = await backend.app.request(path, { ...init, headers });
      const text = await response.text();
      return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text };
    };
    expect((await send('/v1/graphql', REQUESTS[0]?.[2] ?? {})).body).toEqual({
      data: { resources: [] },
    });
    await end(owner, attacker);
    for (const [request, path, init, refusal] of REQUESTS) {
      const { status, body } = await send(path, init);
      if (typeof refusal === 'number') expect(status, request).toBe(refusal);
      else expect(body, request).toMatchObject(refusal as object);
    }
  });
});

/** Follows the log of a new app, and reads its first line. */
async function followLog(session: Session) {
  const projectId = crypto.randomUUID();
  const { id: appId } = await backend.db
    .insertInto('public.resources')
    .values({
      user_id: session.user.id,
      chart_name: chartNameOf('app'),
      chart_version: '0.0',
      values: JSON.stringify(appValues(projectId)),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  backend.logs.append(appId, 'app-1', 'a line');
  const response = await backend.app.request('/v1/logs', {
    method: 'POST',
    body: JSON.stringify({ projectId, appId, follow: true }),
    headers: bearer(session),
  });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const next = async () => new TextDecoder().decode((await reader.read()).value);
  expect(await next()).toContain('a line');
  return { appId, reader, next };
}

const disable = ({ user }: Session) =>
  backend.db.updateTable('auth.users').set({ disabled: true }).where('id', '=', user.id).execute();

describe.each([...ENDS, ['the user was disabled', disable] as const])(
  'the log stream of a session that ended because %s',
  (reason, end) => {
    it('ends', async () => {
      const email = `logs-${reason.replaceAll(' ', '-')}@example.com`;
      const owner = await backend.signUp(email);
      const attacker = await signIn(email);
      const { reader } = await followLog(attacker);
      await end(owner, attacker);
      expect(await reader.read()).toMatchObject({ done: true });
    });
  },
);

it('keeps the log streams of other sessions', async () => {
  const email = 'two-streams@example.com';
  const owner = await backend.signUp(email);
  const other = await signIn(email);
  const [kept, ended] = [await followLog(owner), await followLog(other)];
  await post('/signout', { refreshToken: other.refreshToken }, other);
  expect(await ended.reader.read()).toMatchObject({ done: true });
  backend.logs.append(kept.appId, 'app-1', 'another line');
  expect(await kept.next()).toContain('another line');
  await kept.reader.cancel();
});

it('refuses an access token of a disabled user in every service', async () => {
  const session = await backend.signUp();
  const read = () =>
    backend.post('/v1/graphql', { query: QUERY }, bearer(session)).then(({ body }) => body);
  expect(await read()).toEqual({ data: { resources: [] } });
  await backend.db
    .updateTable('auth.users')
    .set({ disabled: true })
    .where('id', '=', session.user.id)
    .execute();
  const change = await backend.post('/v1/graphql', { query: MUTATION }, bearer(session));
  expect(change.body).toMatchObject(GRAPHQL_REFUSAL);
  await expect.poll(read).toMatchObject(GRAPHQL_REFUSAL);
});

it.each(ENDS.slice(0, 3))('ends pending changes of the address when %s', async (reason, end) => {
  const email = `change-${reason.replaceAll(' ', '-')}@example.com`;
  const owner = await backend.signUp(email);
  const attacker = await signIn(email);
  const newEmail = `new-${email}`;
  await post('/user/email/change', { newEmail }, attacker);
  const link = linkFor(backend, newEmail);
  await end(owner, attacker);
  const { headers } = await backend.request(`${link.pathname}${link.search}`);
  expect(headers.get('location')).toContain('error=invalid-ticket');
});

it('links no provider account with an access token whose session ended', async () => {
  const session = await backend.signUp();
  const query = new URLSearchParams({ connect: session.accessToken });
  const startSignIn = async () =>
    (await backend.request(`/v1/auth/signin/provider/github?${query}`)).headers.get('location');
  expect(await startSignIn()).toContain(HOST);
  await post('/signout', { all: true }, session);
  expect(await startSignIn()).toContain('error=invalid-request');
});

it('links no provider account for a navigation from another site', async () => {
  const query = new URLSearchParams({ connect: (await backend.signUp()).accessToken });
  const startSignIn = (site: string) =>
    backend.request(`/v1/auth/signin/provider/github?${query}`, {
      headers: { 'sec-fetch-site': site },
    });
  expect((await startSignIn('same-origin')).headers.get('location')).toContain(HOST);
  const { headers } = await startSignIn('cross-site');
  expect(headers.get('location')).toContain('error=invalid-request');
  expect(headers.get('set-cookie')).toBeNull();
});

it('changes the password with a ticket for a client whose session ended', async () => {
  const session = await backend.signUp('signed-out@example.com');
  await backend.post('/v1/auth/user/password/reset', { email: 'signed-out@example.com' });
  await expect
    .poll(() => backend.mails.some(({ to }) => to === 'signed-out@example.com'))
    .toBe(true);
  const ticket = linkFor(backend, 'signed-out@example.com').searchParams.get('ticket');
  await post('/signout', { all: true }, session);
  const body = { newPassword: 'another horse', ticket };
  expect((await post('/user/password', body, session)).status).toBe(200);
});

it('creates no personal access token for a user with an unverified phone number', async () => {
  const { body } = await backend.post<{ session: Session }>('/v1/auth/signin/anonymous', '');
  const phoneNumber = '+4915100000009';
  const registration = { signInMethod: 'passwordless', connection: 'sms', phoneNumber };
  expect((await post('/user/deanonymize', registration, body.session)).status).toBe(200);
  const pat = await post('/pat', { expiresAt: '2099-01-01T00:00:00Z' }, body.session);
  expect(pat.status).toBe(401);
});
