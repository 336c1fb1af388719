import type { Session } from '@longshore/contract';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Backend, bearer, startBackend } from '../../../test/backend.ts';

const PATH = '/v1/auth/signin/anonymous';

let backend: Backend;
beforeAll(async () => {
  backend = await startBackend();
});
afterAll(async () => {
  expect(backend.errors).toEqual([]);
  await backend.stop();
});

describe('POST /signin/anonymous', () => {
  it.each([
    ['nothing', ''],
    ['an empty object', {}],
    ['unknown fields', { allowedRoles: ['admin'], isAnonymous: false, email: 'a@b.ch' }],
    ['nulls', { displayName: null, locale: null, metadata: null }],
  ])('opens a session for %s', async (_, body) => {
    const { status, body: response } = await backend.post<{ session: Session }>(PATH, body);
    expect(status).toBe(200);
    expect(response.session.user).toMatchObject({
      displayName: 'Anonymous User',
      isAnonymous: true,
      defaultRole: 'anonymous',
      roles: ['anonymous'],
      locale: 'en',
      metadata: null,
    });
    expect(response.session.user).not.toHaveProperty('email');
    expect(decodeJwt(response.session.accessToken)['https://hasura.io/jwt/claims']).toMatchObject({
      'x-hasura-user-is-anonymous': 'true',
      'x-hasura-default-role': 'anonymous',
    });
  });

  it('accepts a name, a locale and metadata', async () => {
    const profile = { displayName: 'Ada', locale: 'de', metadata: { from: 'tour' } };
    const { body } = await backend.post<{ session: Session }>(PATH, profile);
    expect(body.session.user).toMatchObject(profile);
  });

  it('opens a session that can be refreshed, and ignores the bearer token', async () => {
    const { body } = await backend.post<{ session: Session }>(PATH, '', {
      authorization: 'Bearer nonsense',
    });
    const { refreshToken } = body.session;
    const refreshed = await backend.post<Session>('/v1/auth/token', { refreshToken });
    expect(refreshed.body.user.isAnonymous).toBe(true);
  });

  it('refuses an anonymous user a personal access token', async () => {
    const { body } = await backend.post<{ session: Session }>(PATH, '');
    const response = await backend.post('/v1/auth/pat', {}, bearer(body.session));
    expect(response.body).toMatchObject({ status: 403, error: 'forbidden-anonymous' });
  });

  it.each([
    ['invalid JSON', '{'],
    ['a list', []],
    ['a number as name', { displayName: 1 }],
    ['a list as metadata', { metadata: [] }],
    ['an unpaired surrogate', '{"metadata":{"a":"\\ud800"}}'],
  ])('refuses %s', async (_, body) => {
    expect((await backend.post(PATH, body)).body).toMatchObject({
      status: 400,
      error: 'invalid-request',
    });
  });

  it('is disabled by default', async () => {
    const closed = await startBackend({ settings: { anonymousSignIn: false } });
    const { body } = await closed.post(PATH, '');
    expect(body).toEqual({
      status: 409,
      error: 'disabled-endpoint',
      message: 'This endpoint is disabled',
    });
    expect(await closed.db.selectFrom('auth.users').selectAll().execute()).toEqual([]);
    await closed.stop();
  });
});
