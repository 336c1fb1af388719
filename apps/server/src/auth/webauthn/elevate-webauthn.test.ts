import type { Session } from '@longshore/contract';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditedKinds } from '../../../test/auth/mail-links.ts';
import {
  INVALID_REQUEST,
  requestSignature,
  signUpWithKey,
} from '../../../test/auth/security-key-account.ts';
import { type Backend, bearer, startBackend } from '../../../test/backend.ts';

const START = '/v1/auth/elevate/webauthn';
const VERIFY = '/v1/auth/elevate/webauthn/verify';

let backend: Backend;
beforeAll(async () => {
  backend = await startBackend();
});
afterAll(async () => {
  expect(backend.errors).toEqual([]);
  await backend.stop();
});

const claimsOf = (session: Session) =>
  decodeJwt(session.accessToken)['https://hasura.io/jwt/claims'] as Record<string, unknown>;
const begin = (session: Session, body: unknown = '') =>
  requestSignature(backend, body, { path: START, headers: bearer(session) });
const verify = (session: Session, body: unknown) =>
  backend.post<{ session: Session }>(VERIFY, body, bearer(session));

describe('POST /elevate/webauthn and /elevate/webauthn/verify', () => {
  it('return a session with an elevated access token', async () => {
    const { key, session } = await signUpWithKey(backend, 'ada@example.com');
    expect(claimsOf(session)).not.toHaveProperty('x-hasura-auth-elevated');
    const options = await begin(session, { email: 'ada@example.com' });
    expect(options.allowCredentials).toEqual([{ type: 'public-key', id: key.id }]);

    const { status, body } = await verify(session, {
      email: 'ada@example.com',
      credential: key.get(options),
    });
    expect(status).toBe(200);
    expect(claimsOf(body.session)).toMatchObject({
      'x-hasura-auth-elevated': session.user.id,
      'x-hasura-user-id': session.user.id,
    });
    expect((await auditedKinds(backend, session.user.id)).at(-1)).toBe('elevated');
    const me = await backend.request('/v1/auth/user', { headers: bearer(body.session) });
    expect(me.status).toBe(200);

    const refreshed = await backend.post<Session>('/v1/auth/token', {
      refreshToken: body.session.refreshToken,
    });
    expect(claimsOf(refreshed.body)).not.toHaveProperty('x-hasura-auth-elevated');
  });

  it('refuse a user without keys', async () => {
    const { body } = await backend.post(START, '', bearer(await backend.signUp()));
    expect(body).toEqual(INVALID_REQUEST);
  });

  it.each([START, VERIFY])('refuse an unauthenticated caller at %s', async (path) => {
    expect((await backend.post(path, {})).body).toMatchObject({
      status: 401,
      error: 'unauthorized',
    });
  });

  it('refuse the key and the challenge of another user', async () => {
    const caller = await signUpWithKey(backend, 'caller@example.com');
    const otherUser = await signUpWithKey(backend, 'other@example.com');
    const tries = [
      { credential: otherUser.key.get(await begin(caller.session)) },
      { credential: otherUser.key.get(await begin(otherUser.session)) },
      { credential: caller.key.get(await begin(otherUser.session)) },
    ];
    for (const body of tries)
      expect((await verify(caller.session, body)).body).toEqual(INVALID_REQUEST);
  });

  it('refuse a sign-in challenge, and a second use', async () => {
    const { key, session } = await signUpWithKey(backend, 'twice@example.com');
    const foreign = key.get(await requestSignature(backend));
    expect((await verify(session, { credential: foreign })).body).toEqual(INVALID_REQUEST);
    const credential = key.get(await begin(session));
    expect((await verify(session, { credential })).status).toBe(200);
    expect((await verify(session, { credential })).body).toEqual(INVALID_REQUEST);
  });
});
