import type { Session } from '@longshore/contract';
import type { PublicKeyCredentialCreationOptionsJSON as CreationOptions } from '@simplewebauthn/server';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditedKinds } from '../../../test/auth/mail-links.ts';
import {
  INVALID_REQUEST,
  requestSignature,
  signUpWithKey,
} from '../../../test/auth/security-key-account.ts';
import { softwareAuthenticator } from '../../../test/auth/software-authenticator.ts';
import { type Backend, bearer, startBackend } from '../../../test/backend.ts';

const START = '/v1/auth/user/webauthn/add';
const VERIFY = '/v1/auth/user/webauthn/verify';
const KEYS = '/v1/auth/user/security-keys';

type KeyList = { securityKeys: { id: string; nickname: string | null; createdAt: string }[] };

let backend: Backend;
beforeAll(async () => {
  backend = await startBackend();
});
afterAll(async () => {
  expect(backend.errors).toEqual([]);
  await backend.stop();
});

const begin = async (session: Session) =>
  (await backend.post<CreationOptions>(START, '', bearer(session))).body;
const list = (session: Session) => backend.request<KeyList>(KEYS, { headers: bearer(session) });

async function addKey(session: Session, nickname?: string) {
  const key = softwareAuthenticator();
  const credential = key.create(await begin(session));
  const response = await backend.post<{ id: string }>(
    VERIFY,
    { credential, nickname },
    bearer(session),
  );
  return { key, response };
}

describe('POST /user/webauthn/add and /user/webauthn/verify', () => {
  it('add a key that can sign in', async () => {
    const session = await backend.signUp();
    const { key, response } = await addKey(session, 'Blue');
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ id: expect.any(String), nickname: 'Blue' });
    expect((await auditedKinds(backend, session.user.id)).at(-1)).toBe('security-key-added');

    const options = await requestSignature(backend, { email: session.user.email });
    const signedIn = await backend.post<{ session: Session }>('/v1/auth/signin/webauthn/verify', {
      email: session.user.email,
      credential: key.get(options),
    });
    expect(signedIn.body.session.user.id).toBe(session.user.id);
  });

  it('omit an absent nickname', async () => {
    const { response } = await addKey(await backend.signUp());
    expect(Object.keys(response.body)).toEqual(['id']);
  });

  it('exclude the user’s existing keys', async () => {
    const { key, session } = await signUpWithKey(backend, 'has-one@example.com');
    expect(await begin(session)).toMatchObject({
      user: { id: session.user.id, name: 'has-one@example.com' },
      excludeCredentials: [{ type: 'public-key', id: key.id }],
    });
  });

  it('refuse a key that is already registered', async () => {
    const { key, session } = await signUpWithKey(backend, 'known-key@example.com');
    const credential = key.create(await begin(session));
    const { body } = await backend.post(VERIFY, { credential }, bearer(session));
    expect(body).toEqual(INVALID_REQUEST);
  });

  it('refuse a response to the challenge of another user', async () => {
    const [caller, otherUser] = [await backend.signUp(), await backend.signUp()];
    const credential = softwareAuthenticator().create(await begin(otherUser));
    const { body } = await backend.post(VERIFY, { credential }, bearer(caller));
    expect(body).toEqual(INVALID_REQUEST);
    expect((await list(caller)).body.securityKeys).toEqual([]);
  });

  it('refuse the same response a second time', async () => {
    const session = await backend.signUp();
    const credential = softwareAuthenticator().create(await begin(session));
    const first = await backend.post(VERIFY, { credential }, bearer(session));
    const second = await backend.post(VERIFY, { credential }, bearer(session));
    expect([first.status, second.status]).toEqual([200, 400]);
  });

  it.each([
    ['POST', START],
    ['POST', VERIFY],
    ['GET', KEYS],
    ['DELETE', `${KEYS}/7b0b5c4e-8a52-4a8e-9f0f-1d1f6f3f0a11`],
  ])('%s %s serves only registered users', async (method, path) => {
    expect((await backend.request(path, { method })).body).toMatchObject({
      status: 401,
      error: 'unauthorized',
    });
    const session = await backend.signUp();
    await sql`update auth.users set is_anonymous = true where id = ${session.user.id}`.execute(
      backend.db,
    );
    expect((await backend.request(path, { method, headers: bearer(session) })).body).toMatchObject({
      status: 403,
      error: 'forbidden-anonymous',
    });
  });
});

describe('GET and DELETE /user/security-keys', () => {
  it('list and remove the caller’s keys, which then cannot sign in', async () => {
    const { key, session } = await signUpWithKey(backend, 'owner@example.com');
    await addKey(session, 'Spare');
    const { securityKeys } = (await list(session)).body;
    expect(securityKeys).toEqual([
      { id: expect.any(String), nickname: null, createdAt: expect.any(String) },
      { id: expect.any(String), nickname: 'Spare', createdAt: expect.any(String) },
    ]);

    const path = `${KEYS}/${securityKeys[0]?.id}`;
    const removed = await backend.request(path, { method: 'DELETE', headers: bearer(session) });
    expect(removed.body).toBe('OK');
    expect((await list(session)).body.securityKeys.map(({ nickname }) => nickname)).toEqual([
      'Spare',
    ]);
    expect((await auditedKinds(backend, session.user.id)).at(-1)).toBe('security-key-removed');
    const credential = key.get(await requestSignature(backend));
    const signIn = await backend.post('/v1/auth/signin/webauthn/verify', { credential });
    expect(signIn.body).toEqual(INVALID_REQUEST);
  });

  it('do not remove the keys of other users', async () => {
    const owner = await signUpWithKey(backend, 'victim@example.com');
    const [key] = (await list(owner.session)).body.securityKeys;
    const headers = bearer(await backend.signUp());
    for (const id of [key?.id, 'not-an-id', '%00']) {
      const { body } = await backend.request(`${KEYS}/${id}`, { method: 'DELETE', headers });
      expect(body).toEqual(INVALID_REQUEST);
    }
    expect((await list(owner.session)).body.securityKeys).toHaveLength(1);
  });
});
