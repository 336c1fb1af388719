import type { Session } from '@longshore/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Backend, bearer, startBackend } from '../../../test/backend.ts';
import {
  askToSign,
  eventsOf,
  INVALID_REQUEST,
  signUpWithKey,
} from '../../../test/security-key-account.ts';
import {
  type Lies,
  type SoftwareAuthenticator,
  softwareAuthenticator,
} from '../../../test/software-authenticator.ts';

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
  it('names the keys of an address', async () => {
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
    ['null for an address', { email: null }],
  ])('lets the person pick any key on %s', async (_, body) => {
    const answer = await backend.post(START, body);
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body).sort()).toEqual([
      'challenge',
      'rpId',
      'timeout',
      'userVerification',
    ]);
  });

  it('does not tell an unknown address from one without keys', async () => {
    await backend.signUp('keyless@example.com');
    const answers = await Promise.all(
      ['keyless@example.com', 'unknown@example.com'].map((email) => backend.post(START, { email })),
    );
    expect(answers.map(({ body }) => body)).toEqual([INVALID_REQUEST, INVALID_REQUEST]);
  });

  it.each([
    ['a list', []],
    ['an address that is none', { email: 'nobody' }],
    ['an object for an address', { email: {} }],
  ])('refuses %s', async (_, body) => {
    expect((await backend.post(START, body)).body).toEqual(INVALID_REQUEST);
  });
});

describe('POST /signin/webauthn/verify', () => {
  it('opens a session by address and key, whatever the Authorization header says', async () => {
    const options = await askToSign(backend, { email: ada.email });
    const { status, body } = await backend.post<{ session: Session }>(
      VERIFY,
      { email: ada.email, credential: ada.key.get(options, { userHandle: null }) },
      { authorization: 'Bearer nonsense' },
    );
    expect(status).toBe(200);
    expect(body.session.user.id).toBe(ada.session.user.id);
    expect(await storedCounter(ada.key)).toBe(ada.key.state.counter);
    expect((await eventsOf(backend, ada.session.user.id)).at(-1)).toBe('signed-in');
    const me = await backend.ask('/v1/auth/user', { headers: bearer(body.session) });
    expect(me.body).toMatchObject({ email: ada.email });
  });

  it.each([
    ['as the plain id', (id: string) => id],
    ['as its bytes', (id: string) => Buffer.from(id).toString('base64url')],
  ])('opens a session by the key alone, with the handle %s', async (_, form) => {
    const userHandle = form(ada.session.user.id);
    const credential = ada.key.get(await askToSign(backend), { userHandle });
    const { status, body } = await verify({ credential });
    expect(status).toBe(200);
    expect(body.session.user.id).toBe(ada.session.user.id);
  });

  it('takes keys that do not count', async () => {
    const { key } = await signUpWithKey(backend, 'no-counter@example.com');
    for (const _ of [1, 2]) {
      const credential = key.get(await askToSign(backend), { counter: 0 });
      expect((await verify({ credential })).status).toBe(200);
    }
  });

  it.each<[string, Lies]>([
    ['a challenge that was never given', { challenge: 'A'.repeat(43) }],
    ['a challenge that is none', { challenge: '\0' }],
    ['the page of another origin', { origin: 'https://evil.example' }],
    ['an answer for another host', { rpId: 'evil.example' }],
    ['the answer to another question', { type: 'webauthn.create' }],
    ['a key that nobody touched', { isPresent: false }],
    ['a handle of somebody else', { userHandle: '7b0b5c4e-8a52-4a8e-9f0f-1d1f6f3f0a11' }],
    ['no handle when nobody was named', { userHandle: null }],
    ['a key nobody knows', { credentialId: 'AAAA' }],
  ])('refuses %s', async (_, lies) => {
    const before = await storedCounter(ada.key);
    const credential = ada.key.get(await askToSign(backend), lies);
    const { status, body } = await verify({ credential });
    expect(status).toBe(400);
    expect(body).toEqual(INVALID_REQUEST);
    expect(await storedCounter(ada.key)).toBe(before);
  });

  it('refuses the same answer a second time', async () => {
    const credential = ada.key.get(await askToSign(backend));
    expect((await verify({ credential })).status).toBe(200);
    expect((await verify({ credential })).body).toEqual(INVALID_REQUEST);
  });

  it('lets one of two simultaneous uses of an answer win', async () => {
    const credential = ada.key.get(await askToSign(backend));
    const answers = await Promise.all([verify({ credential }), verify({ credential })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it('refuses an answer that took more than a minute', async () => {
    const options = await askToSign(backend);
    await sql`update auth.challenges set expires_at = expires_at - interval '61 seconds'
      where challenge = ${options.challenge}`.execute(backend.db);
    expect((await verify({ credential: ada.key.get(options) })).body).toEqual(INVALID_REQUEST);
  });

  it('refuses the key of somebody else', async () => {
    const other = await signUpWithKey(backend, 'other@example.com');
    const asAda = await askToSign(backend, { email: ada.email });
    expect((await verify({ credential: other.key.get(asAda) })).body).toEqual(INVALID_REQUEST);
    const credential = other.key.get(await askToSign(backend));
    expect((await verify({ email: ada.email, credential })).body).toEqual(INVALID_REQUEST);
  });

  it('refuses a signature of another key under a known name, and writes it down', async () => {
    const credential = softwareAuthenticator().get(await askToSign(backend), {
      credentialId: ada.key.id,
      userHandle: ada.session.user.id,
    });
    expect((await verify({ credential })).body).toEqual(INVALID_REQUEST);
    expect((await eventsOf(backend, ada.session.user.id)).at(-1)).toBe('sign-in-refused');
  });

  it.each([
    ['goes back', -1],
    ['stands still', 0],
  ])('refuses a key whose counter %s: it was copied, which is written down', async (_, step) => {
    const counter = (await storedCounter(ada.key)) + step;
    const credential = ada.key.get(await askToSign(backend), { counter });
    expect((await verify({ credential })).body).toEqual(INVALID_REQUEST);
    expect((await eventsOf(backend, ada.session.user.id)).at(-1)).toBe('security-key-cloned');
    expect(await storedCounter(ada.key)).toBe(counter - step);
  });

  it('refuses a challenge that was given for something else', async () => {
    const headers = bearer(ada.session);
    const options = await askToSign(backend, {}, { path: '/v1/auth/elevate/webauthn', headers });
    expect((await verify({ credential: ada.key.get(options) })).body).toEqual(INVALID_REQUEST);
  });

  it('tells a disabled user so, once the key has signed', async () => {
    const { key, session } = await signUpWithKey(backend, 'disabled@example.com');
    await sql`update auth.users set disabled = true where id = ${session.user.id}`.execute(
      backend.db,
    );
    const credential = key.get(await askToSign(backend));
    expect((await verify({ credential })).body).toMatchObject({
      status: 401,
      error: 'disabled-user',
    });
  });

  it.each([
    ['no body', ''],
    ['null for a credential', { credential: null }],
    ['a text for a credential', { credential: 'key' }],
    ['an empty answer', { credential: { id: 'a', rawId: 'a', type: 'public-key', response: {} } }],
  ])('refuses %s', async (_, body) => {
    expect((await verify(body)).body).toEqual(INVALID_REQUEST);
  });
});
