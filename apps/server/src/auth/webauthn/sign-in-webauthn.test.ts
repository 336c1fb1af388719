import type { Session } from '@longshore/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditedKinds } from '../../../test/auth/mail-links.ts';
import {
  INVALID_REQUEST,
  requestSignature,
  signUpWithKey,
} from '../../../test/auth/security-key-account.ts';
import {
  type ResponseOverrides,
  type SoftwareAuthenticator,
  softwareAuthenticator,
} from '../../../test/auth/software-authenticator.ts';
import { type Backend, bearer, startBackend } from '../../../test/backend.ts';

const START = '/v1/auth/signin/webauthn';
const VERIFY = '/v1/auth/signin/webauthn/verify';

let backend: Backend;
let ada: { email: string; key: SoftwareAuthenticator; session: Session };
beforeAll(async () => {
  backend = await startBackend();
  ada = { email: 'ada@example.com', ...(await signUpWithKey(backend, 'ada@example.com')) };
});
afterAll(async () => {
  expect(backend.errors).toEqual([]);
  await backend.stop();
});

const verify = (body: unknown) => backend.post<{ session: Session }>(VERIFY, body);
const storedCounter = async (key: SoftwareAuthenticator) =>
  Number(
    (
      await backend.db
        .selectFrom('auth.security_keys')
        .select('counter')
        .where('credential_id', '=', key.id)
        .executeTakeFirstOrThrow()
    ).counter,
  );

describe('POST /signin/webauthn', () => {
  it('lists the keys of the user with the e-mail address', async () => {
    const { status, body } = await backend.post(START, { email: 'ADA@example.com' });
    expect(status).toBe(200);
    expect(body).toEqual({
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      timeout: 60_000,
      rpId: 'localhost',
      allowCredentials: [{ type: 'public-key', id: ada.key.id }],
      userVerification: 'preferred',
    });
  });

  it.each([
    ['no body', ''],
    ['an empty object', {}],
    ['null as address', { email: null }],
  ])('allows any key for %s', async (_, body) => {
    const options = await backend.post(START, body);
    expect(options.status).toBe(200);
    expect(Object.keys(options.body).sort()).toEqual([
      'challenge',
      'rpId',
      'timeout',
      'userVerification',
    ]);
  });

  it('responds the same to an unknown address and to one without keys', async () => {
    await backend.signUp('keyless@example.com');
    const responses = await Promise.all(
      ['keyless@example.com', 'unknown@example.com'].map((email) => backend.post(START, { email })),
    );
    expect(responses.map(({ body }) => body)).toEqual([INVALID_REQUEST, INVALID_REQUEST]);
  });

  it.each([
    ['a list', []],
    ['an invalid address', { email: 'nobody' }],
    ['an object as address', { email: {} }],
  ])('refuses %s', async (_, body) => {
    expect((await backend.post(START, body)).body).toEqual(INVALID_REQUEST);
  });
});

describe('POST /signin/webauthn/verify', () => {
  it('opens a session with address and key, regardless of the Authorization header', async () => {
    const options = await requestSignature(backend, { email: ada.email });
    const { status, body } = await backend.post<{ session: Session }>(
      VERIFY,
      { email: ada.email, credential: ada.key.get(options, { userHandle: null }) },
      { authorization: 'Bearer nonsense' },
    );
    expect(status).toBe(200);
    expect(body.session.user.id).toBe(ada.session.user.id);
    expect(await storedCounter(ada.key)).toBe(ada.key.state.counter);
    expect((await auditedKinds(backend, ada.session.user.id)).at(-1)).toBe('signed-in');
    const me = await backend.request('/v1/auth/user', { headers: bearer(body.session) });
    expect(me.body).toMatchObject({ email: ada.email });
  });

  it.each([
    ['as the plain id', (id: string) => id],
    ['as base64url', (id: string) => Buffer.from(id).toString('base64url')],
  ])('opens a session with the key alone, with the user handle %s', async (_, form) => {
    const userHandle = form(ada.session.user.id);
    const credential = ada.key.get(await requestSignature(backend), { userHandle });
    const { status, body } = await verify({ credential });
    expect(status).toBe(200);
    expect(body.session.user.id).toBe(ada.session.user.id);
  });

  it('accepts keys without a counter', async () => {
    const { key } = await signUpWithKey(backend, 'no-counter@example.com');
    for (const _ of [1, 2]) {
      const credential = key.get(await requestSignature(backend), { counter: 0 });
      expect((await verify({ credential })).status).toBe(200);
    }
  });

  it.each<[string, ResponseOverrides]>([
    ['a challenge that was never issued', { challenge: 'A'.repeat(43) }],
    ['an invalid challenge', { challenge: '\0' }],
    ['a page of another origin', { origin: 'https://evil.example' }],
    ['a response for another host', { rpId: 'evil.example' }],
    ['a response of another type', { type: 'webauthn.create' }],
    ['a key without user presence', { isPresent: false }],
    ['the user handle of another user', { userHandle: '7b0b5c4e-8a52-4a8e-9f0f-1d1f6f3f0a11' }],
    ['no user handle when the request had no e-mail address', { userHandle: null }],
    ['an unknown key', { credentialId: 'AAAA' }],
  ])('refuses %s', async (_, overrides) => {
    const before = await storedCounter(ada.key);
    const credential = ada.key.get(await requestSignature(backend), overrides);
    const { status, body } = await verify({ credential });
    expect(status).toBe(400);
    expect(body).toEqual(INVALID_REQUEST);
    expect(await storedCounter(ada.key)).toBe(before);
  });

  it('refuses the same response a second time', async () => {
    const credential = ada.key.get(await requestSignature(backend));
    expect((await verify({ credential })).status).toBe(200);
    expect((await verify({ credential })).body).toEqual(INVALID_REQUEST);
  });

  it('lets one of two simultaneous uses of a response succeed', async () => {
    const credential = ada.key.get(await requestSignature(backend));
    const responses = await Promise.all([verify({ credential }), verify({ credential })]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it('refuses a response after more than a minute', async () => {
    const options = await requestSignature(backend);
    await sql`update auth.challenges set expires_at = expires_at - interval '61 seconds'
      where challenge = ${options.challenge}`.execute(backend.db);
    expect((await verify({ credential: ada.key.get(options) })).body).toEqual(INVALID_REQUEST);
  });

  it('refuses the key of another user', async () => {
    const other = await signUpWithKey(backend, 'other@example.com');
    const asAda = await requestSignature(backend, { email: ada.email });
    expect((await verify({ credential: other.key.get(asAda) })).body).toEqual(INVALID_REQUEST);
    const credential = other.key.get(await requestSignature(backend));
    expect((await verify({ email: ada.email, credential })).body).toEqual(INVALID_REQUEST);
  });

  it('refuses a signature of another key with a known id, and records it', async () => {
    const credential = softwareAuthenticator().get(await requestSignature(backend), {
      credentialId: ada.key.id,
      userHandle: ada.session.user.id,
    });
    expect((await verify({ credential })).body).toEqual(INVALID_REQUEST);
    expect((await auditedKinds(backend, ada.session.user.id)).at(-1)).toBe('sign-in-refused');
  });

  it.each([
    ['decreases', -1],
    ['stays the same', 0],
  ])('refuses a key whose counter %s as a clone, and records it', async (_, step) => {
    const counter = (await storedCounter(ada.key)) + step;
    const credential = ada.key.get(await requestSignature(backend), { counter });
    expect((await verify({ credential })).body).toEqual(INVALID_REQUEST);
    expect((await auditedKinds(backend, ada.session.user.id)).at(-1)).toBe('security-key-cloned');
    expect(await storedCounter(ada.key)).toBe(counter - step);
  });

  it('refuses a challenge of another purpose', async () => {
    const headers = bearer(ada.session);
    const options = await requestSignature(
      backend,
      {},
      { path: '/v1/auth/elevate/webauthn', headers },
    );
    expect((await verify({ credential: ada.key.get(options) })).body).toEqual(INVALID_REQUEST);
  });

  it('reports a disabled user after a valid signature', async () => {
    const { key, session } = await signUpWithKey(backend, 'disabled@example.com');
    await sql`update auth.users set disabled = true where id = ${session.user.id}`.execute(
      backend.db,
    );
    const credential = key.get(await requestSignature(backend));
    expect((await verify({ credential })).body).toMatchObject({
      status: 401,
      error: 'disabled-user',
    });
  });

  it.each([
    ['no body', ''],
    ['null as credential', { credential: null }],
    ['text as credential', { credential: 'key' }],
    [
      'an empty response',
      { credential: { id: 'a', rawId: 'a', type: 'public-key', response: {} } },
    ],
  ])('refuses %s', async (_, body) => {
    expect((await verify(body)).body).toEqual(INVALID_REQUEST);
  });
});
