import { randomUUID } from 'node:crypto';
import type { Session } from '@longshore/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Backend, bearer, startBackend } from '../../../test/backend.ts';

const DAY_MS = 86_400_000;

let backend: Backend;
beforeAll(async () => {
  backend = await startBackend();
});
afterAll(async () => {
  expect(backend.errors).toEqual([]);
  await backend.stop();
});

async function newPat() {
  const session = await backend.signUp();
  const { body } = await backend.post<{ id: string; personalAccessToken: string }>(
    '/v1/auth/pat',
    { expiresAt: new Date(Date.now() + DAY_MS).toISOString() },
    bearer(session),
  );
  return { session, ...body };
}

const signIn = (personalAccessToken: unknown) =>
  backend.post<{ session: Session }>('/v1/auth/signin/pat', { personalAccessToken });

describe('POST /signin/pat', () => {
  it('opens a separate session each time', async () => {
    const { session, personalAccessToken } = await newPat();
    for (const token of [personalAccessToken, personalAccessToken.toUpperCase()]) {
      const { status, body } = await signIn(token);
      expect(status).toBe(200);
      expect(body.session.user.id).toBe(session.user.id);
      expect(body.session.refreshTokenId).not.toBe(session.refreshTokenId);
      const { refreshToken } = body.session;
      expect((await backend.post('/v1/auth/token', { refreshToken })).status).toBe(200);
    }
  });

  it('accepts a token after the session that created it has ended', async () => {
    const { session, personalAccessToken } = await newPat();
    await backend.post('/v1/auth/signout', { refreshToken: session.refreshToken, all: false });
    expect((await signIn(personalAccessToken)).status).toBe(200);
  });

  it('refuses a token after its user has signed out everywhere', async () => {
    const { session, personalAccessToken } = await newPat();
    const other = await newPat();
    await backend.post('/v1/auth/signout', { all: true }, bearer(session));
    expect((await signIn(personalAccessToken)).body).toMatchObject({ error: 'invalid-pat' });
    expect((await signIn(other.personalAccessToken)).status).toBe(200);
  });

  it('refuses an expired token', async () => {
    const { personalAccessToken } = await newPat();
    backend.clock.ahead = DAY_MS;
    const { body } = await signIn(personalAccessToken);
    backend.clock.ahead = 0;
    expect(body).toEqual({
      status: 401,
      error: 'invalid-pat',
      message: 'Invalid or expired personal access token',
    });
  });

  it('opens a session that ends when the token expires, also if it is refreshed', async () => {
    const { id, personalAccessToken } = await newPat();
    const { expires_at: expiry } = await backend.db
      .selectFrom('auth.personal_access_tokens')
      .select('expires_at')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const { refreshToken, refreshTokenId } = (await signIn(personalAccessToken)).body.session;
    const session = backend.db
      .selectFrom('auth.refresh_tokens')
      .select('expires_at')
      .where('id', '=', refreshTokenId);
    expect(await session.executeTakeFirst()).toEqual({ expires_at: expiry });
    expect((await backend.post('/v1/auth/token', { refreshToken })).status).toBe(200);
    expect(await session.executeTakeFirst()).toEqual({ expires_at: expiry });
  });

  it('refuses a refresh token, and POST /token refuses a personal access token', async () => {
    const { session, personalAccessToken } = await newPat();
    const refreshed = await backend.post('/v1/auth/token', { refreshToken: personalAccessToken });
    expect(refreshed.body).toMatchObject({ error: 'invalid-refresh-token' });
    expect((await signIn(session.refreshToken)).body).toMatchObject({ error: 'invalid-pat' });
  });

  it('refuses a disabled user', async () => {
    const { session, personalAccessToken } = await newPat();
    await backend.db
      .updateTable('auth.users')
      .set({ disabled: true })
      .where('id', '=', session.user.id)
      .execute();
    expect((await signIn(personalAccessToken)).body).toMatchObject({ error: 'disabled-user' });
  });

  it.each([
    ['an unknown token', randomUUID(), 401, 'invalid-pat'],
    ['an invalid token', 'secret', 401, 'invalid-pat'],
    ['nothing', undefined, 400, 'invalid-request'],
    ['null', null, 400, 'invalid-request'],
    ['a list', [randomUUID()], 400, 'invalid-request'],
  ])('refuses %s', async (_, personalAccessToken, status, error) => {
    expect((await signIn(personalAccessToken)).body).toMatchObject({ status, error });
  });
});
