import type { Session, User } from '@longshore/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Backend, bearer, startBackend } from '../../test/backend.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let backend: Backend;
beforeAll(async () => {
  backend = await startBackend();
});
afterAll(async () => {
  expect(backend.errors).toEqual([]);
  await backend.stop();
});

const credentials = (email: string) => ({ email, password: 'correct horse' });

describe('POST /signup/email-password', () => {
  it('opens a session for the new user', async () => {
    const { status, body } = await backend.post<{ session: Session }>(
      '/v1/auth/signup/email-password',
      credentials('Ada@Example.com'),
    );
    expect(status).toBe(200);
    expect(body.session).toMatchObject({
      accessTokenExpiresIn: 900,
      refreshToken: expect.stringMatching(UUID),
      user: {
        email: 'ada@example.com',
        displayName: 'ada@example.com',
        isAnonymous: false,
        roles: ['user', 'me'],
      },
    });
  });

  it('reports that an address is taken, ignoring case', async () => {
    await backend.signUp('taken@example.com');
    const { status, body } = await backend.post(
      '/v1/auth/signup/email-password',
      credentials('TAKEN@example.com'),
    );
    expect(status).toBe(409);
    expect(body).toEqual({
      status: 409,
      error: 'user-already-exists',
      message: 'User already exists',
    });
  });

  it('lets one of two simultaneous sign-ups succeed', async () => {
    const tries = [1, 2].map(() =>
      backend.post('/v1/auth/signup/email-password', credentials('race@example.com')),
    );
    const statuses = (await Promise.all(tries)).map((response) => response.status);
    expect(statuses.sort()).toEqual([200, 409]);
  });

  it.each([
    ['no body', ''],
    ['invalid JSON', '{'],
    ['a list', []],
    ['no password', { email: 'a@example.com' }],
    ['an invalid address', { email: 'nobody', password: 'secret' }],
    ['a number as password', { email: 'a@example.com', password: 12_345 }],
    ['a very long password', { email: 'a@example.com', password: 'x'.repeat(10_000) }],
    ['a null byte', { email: 'a@example.com', password: 'secret', options: { locale: 'e\0' } }],
  ])('refuses %s', async (_, body) => {
    const { status, body: problem } = await backend.post('/v1/auth/signup/email-password', body);
    expect(status).toBe(400);
    expect(problem).toMatchObject({ status: 400, error: 'invalid-request' });
  });

  it('refuses a short password', async () => {
    const short = { email: 'short@example.com', password: 'ab' };
    const { body } = await backend.post('/v1/auth/signup/email-password', short);
    expect(body).toMatchObject({ status: 400, error: 'password-too-short' });
  });
});

describe('POST /signin/email-password', () => {
  it('opens another session', async () => {
    const first = await backend.signUp('again@example.com');
    const { body } = await backend.post<{ session: Session }>(
      '/auth/v1/signin/email-password',
      credentials('again@example.com'),
    );
    expect(body.session.user.id).toBe(first.user.id);
    expect(body.session.refreshTokenId).not.toBe(first.refreshTokenId);
  });

  it.each([
    ['an unknown address', { email: 'unknown@example.com', password: 'correct horse' }],
    ['a wrong password', { email: 'known@example.com', password: 'wrong horse' }],
  ])('responds to %s in the same way', async (_, body) => {
    await backend.post('/v1/auth/signup/email-password', credentials('known@example.com'));
    const { body: problem } = await backend.post('/v1/auth/signin/email-password', body);
    expect(problem).toEqual({
      status: 401,
      error: 'invalid-email-password',
      message: 'Incorrect email or password',
    });
  });
});

describe('POST /token', () => {
  const refresh = (refreshToken: unknown) =>
    backend.post<Session>('/v1/auth/token', { refreshToken });

  it('returns the session without a wrapper, with the next refresh token', async () => {
    const session = await backend.signUp();
    const { status, body } = await refresh(session.refreshToken);
    expect(status).toBe(200);
    expect(body.refreshTokenId).toBe(session.refreshTokenId);
    expect(body.refreshToken).toMatch(UUID);
    expect(body.refreshToken).not.toBe(session.refreshToken);
  });

  it('returns the same successor to two simultaneous refreshes', async () => {
    const { refreshToken } = await backend.signUp();
    const responses = await Promise.all([refresh(refreshToken), refresh(refreshToken)]);
    const successors = responses.map((response) => response.body.refreshToken);
    expect(successors[0]).toMatch(UUID);
    expect(successors[1]).toBe(successors[0]);
    expect((await refresh(successors[0])).status).toBe(200);
  });

  it.each([
    ['not a token'],
    [''],
    [null],
    [undefined],
    [{ $ne: 1 }],
    ['00000000-0000-4000-8000-000000000000'],
  ])('responds with 401 to %s', async (refreshToken) => {
    const { body } = await refresh(refreshToken);
    expect(body).toMatchObject({ status: 401, error: 'invalid-refresh-token' });
  });

  it('stores no token in plain text', async () => {
    const session = await backend.signUp();
    const rows = await backend.db.selectFrom('auth.refresh_tokens').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(session.refreshToken);
    expect(rows.map((row) => row.token_hash.toString('utf8'))).not.toContain(session.refreshToken);
  });
});

describe('POST /signout', () => {
  it('ends one session', async () => {
    const { refreshToken } = await backend.signUp();
    const { body } = await backend.post<string>('/v1/auth/signout', { refreshToken, all: false });
    expect(body).toBe('OK');
    expect((await backend.post('/v1/auth/token', { refreshToken })).status).toBe(401);
  });

  it('ends all sessions of the caller, and of no other user', async () => {
    const session = await backend.signUp('all@example.com');
    const other = await backend.signUp();
    await backend.post('/v1/auth/signin/email-password', credentials('all@example.com'));
    await backend.post('/v1/auth/signout', { all: true }, bearer(session));
    const remaining = await backend.db
      .selectFrom('auth.refresh_tokens')
      .select('user_id')
      .where('user_id', 'in', [session.user.id, other.user.id])
      .execute();
    expect(remaining).toEqual([{ user_id: other.user.id }]);
  });

  it.each([
    ['all without a bearer token', { all: true }],
    ['nothing', {}],
  ])('refuses %s', async (_, body) => {
    expect((await backend.post('/v1/auth/signout', body)).body).toMatchObject({
      error: 'invalid-request',
    });
  });
});

describe('GET /user', () => {
  it('returns the fields that the console shows', async () => {
    const session = await backend.signUp('shown@example.com');
    const { body } = await backend.request<User>('/v1/auth/user', { headers: bearer(session) });
    const { created_at } = await backend.db
      .selectFrom('auth.users')
      .select('created_at')
      .where('id', '=', session.user.id)
      .executeTakeFirstOrThrow();
    expect(body).toMatchObject({
      id: session.user.id,
      displayName: 'shown@example.com',
      email: 'shown@example.com',
      createdAt: created_at.toISOString(),
      isAnonymous: false,
      locale: 'en',
      roles: ['user', 'me'],
    });
  });

  it('returns the user of the bearer token', async () => {
    const session = await backend.signUp();
    const { body } = await backend.request<User>('/v1/auth/user', { headers: bearer(session) });
    expect(body).toEqual({ ...session.user, activeMfaType: null });
  });

  it.each([
    ['no header', {}],
    ['another scheme', { authorization: 'Basic abc' }],
    ['a forged token', { authorization: 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.' }],
  ])('refuses %s', async (_, headers) => {
    const { status, body } = await backend.request('/v1/auth/user', { headers });
    expect(status).toBe(401);
    expect(body).toMatchObject({ status: 401, error: 'unauthorized' });
  });

  it('refuses an expired token', async () => {
    const session = await backend.signUp();
    backend.clock.ahead = 901_000;
    const { status } = await backend.request('/v1/auth/user', { headers: bearer(session) });
    backend.clock.ahead = 0;
    expect(status).toBe(401);
  });
});

describe('other endpoints', () => {
  it('serves the public part of the signing key', async () => {
    const { body } = await backend.request<{ keys: Record<string, string>[] }>(
      '/v1/auth/.well-known/jwks.json',
    );
    expect(body.keys).toHaveLength(1);
    expect(body.keys[0]).toMatchObject({ alg: 'ES256', use: 'sig', kid: expect.any(String) });
    expect(body.keys[0]).not.toHaveProperty('d');
  });

  it('reports its health and version', async () => {
    expect((await backend.request<unknown>('/v1/auth/healthz')).body).toBe('OK');
    expect((await backend.request('/v1/auth/version')).body).toEqual({ version: '0.1.0' });
    expect((await backend.request('/healthz')).body).toEqual({ status: 'ok' });
  });

  it('responds to an unknown path with JSON, a request id and security headers', async () => {
    const { status, body, headers } = await backend.request('/v1/auth/nothing');
    expect(status).toBe(404);
    expect(body).toMatchObject({ status: 404, error: 'not-found' });
    expect(headers.get('x-request-id')).toBeTruthy();
    expect(headers.get('content-security-policy')).toContain("script-src 'self'");
  });

  it('allows CORS for its own origin only', async () => {
    const preflight = async (origin: string) => {
      const headers = { origin, 'access-control-request-method': 'POST' };
      const response = await backend.app.request('/v1/auth/signup/email-password', {
        method: 'OPTIONS',
        headers,
      });
      return response.headers.get('access-control-allow-origin');
    };
    expect(await preflight('http://localhost:1337')).toBe('http://localhost:1337');
    expect(await preflight('http://localhost:3000')).toBeNull();
    expect(await preflight('https://evil.example')).toBeNull();
  });

  it('refuses requests with an unknown Host header', async () => {
    const { status, body } = await backend.request('http://evil.example/v1/auth/version');
    expect(status).toBe(421);
    expect(body).toMatchObject({ error: 'unknown-host' });
  });

  it('refuses a body larger than a megabyte', async () => {
    const { status, body } = await backend.post('/v1/auth/token', {
      refreshToken: 'x'.repeat(1_100_000),
    });
    expect(status).toBe(413);
    expect(body).toMatchObject({ error: 'payload-too-large' });
  });
});
