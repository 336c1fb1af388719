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
import {
  type ResponseOverrides,
  softwareAuthenticator,
} from '../../../test/auth/software-authenticator.ts';
import { type Backend, startBackend } from '../../../test/backend.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const START = '/v1/auth/signup/webauthn';
const VERIFY = '/v1/auth/signup/webauthn/verify';

let backend: Backend;
beforeAll(async () => {
  backend = await startBackend();
});
afterAll(async () => {
  expect(backend.errors).toEqual([]);
  await backend.stop();
});

const begin = async (email: string, options?: unknown) =>
  (await backend.post<CreationOptions>(START, { email, options })).body;
const verify = (body: unknown) => backend.post<{ session: Session }>(VERIFY, body);
const userOf = (email: string) =>
  backend.db.selectFrom('auth.users').selectAll().where('email', '=', email).executeTakeFirst();
const keysOf = (userId: string) =>
  backend.db.selectFrom('auth.security_keys').selectAll().where('user_id', '=', userId).execute();

describe('POST /signup/webauthn', () => {
  it('returns the options for creating a key', async () => {
    const { status, body } = await backend.post(START, { email: 'Ada@Example.com' });
    expect(status).toBe(200);
    expect(body).toEqual({
      rp: { id: 'localhost', name: 'Longshore' },
      user: {
        id: expect.stringMatching(UUID),
        name: 'ada@example.com',
        displayName: 'ada@example.com',
      },
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      pubKeyCredParams: [-7, -8, -257].map((alg) => ({ type: 'public-key', alg })),
      timeout: 60_000,
      excludeCredentials: [],
      authenticatorSelection: {
        requireResidentKey: false,
        residentKey: 'preferred',
        userVerification: 'preferred',
      },
      attestation: 'indirect',
    });
  });

  it('creates no user yet', async () => {
    await begin('only-asked@example.com');
    expect(await userOf('only-asked@example.com')).toBeUndefined();
  });

  it('reports that an address is taken', async () => {
    await backend.signUp('taken@example.com');
    const { body } = await backend.post(START, { email: 'Taken@example.com' });
    expect(body).toMatchObject({ status: 409, error: 'user-already-exists' });
  });

  it.each([
    ['no address', {}, 'invalid-request'],
    ['a list', [], 'invalid-request'],
    ['an invalid address', { email: 'nobody' }, 'invalid-request'],
    ['a number as address', { email: 5 }, 'invalid-request'],
    [
      'a redirect that is not allowed',
      { email: 'way@example.com', options: { redirectTo: 'https://evil.example' } },
      'redirectTo-not-allowed',
    ],
    [
      'an unpaired surrogate',
      { email: 'half@example.com', options: { locale: 'e\ud800' } },
      'invalid-request',
    ],
    [
      'an unpaired surrogate in redirectTo',
      { email: 'half@example.com', options: { redirectTo: 'http://localhost:1337/\ud800' } },
      'invalid-request',
    ],
    [
      'a role that cannot be granted',
      { email: 'role@example.com', options: { allowedRoles: ['admin'] } },
      'role-not-allowed',
    ],
  ])('refuses %s', async (_, body, error) => {
    expect((await backend.post(START, body)).body).toMatchObject({ status: 400, error });
  });
});

describe('POST /signup/webauthn/verify', () => {
  it('opens a session for the user that the key was created for', async () => {
    const options = await begin('new@example.com', { displayName: 'Grace', metadata: { a: 1 } });
    const { status, body } = await verify({ credential: softwareAuthenticator().create(options) });
    expect(status).toBe(200);
    expect(body.session.user).toMatchObject({
      id: options.user.id,
      email: 'new@example.com',
      displayName: 'Grace',
      metadata: { a: 1 },
      isAnonymous: false,
    });
    expect(await auditedKinds(backend, options.user.id)).toEqual(['signed-up']);
  });

  it.each([
    ['inside the options', { options: { redirectTo: null, nickname: ' Blue key ' } }, 'Blue key'],
    ['beside the options', { nickname: 'Blue key', options: null }, 'Blue key'],
    ['never', {}, null],
    ['as an empty string', { nickname: '', options: { nickname: null } }, null],
  ])('stores the nickname (sent %s)', async (title, more, nickname) => {
    const options = await begin(`${title.replaceAll(' ', '-')}@example.com`);
    const credential = softwareAuthenticator().create(options);
    expect((await verify({ credential, ...more })).status).toBe(200);
    const [key] = await keysOf(options.user.id);
    expect(key).toMatchObject({ nickname, credential_id: credential.id, transports: ['usb'] });
  });

  it('accepts options of the second request', async () => {
    const options = await begin('later@example.com', { displayName: 'Early', locale: 'de' });
    const credential = softwareAuthenticator().create(options);
    const { body } = await verify({ credential, options: { displayName: 'Late', locale: null } });
    expect(body.session.user).toMatchObject({ displayName: 'Late', locale: 'de' });
  });

  it('ignores the attestation statement', async () => {
    const options = await begin('maker@example.com');
    const credential = softwareAuthenticator().create(options, { format: 'fido-u2f' });
    expect((await verify({ credential })).status).toBe(200);
  });

  it.each<[string, ResponseOverrides]>([
    ['a challenge that was never issued', { challenge: 'A'.repeat(43) }],
    ['an invalid challenge', { challenge: 'x\0y' }],
    ['a page of another origin', { origin: 'https://evil.example' }],
    ['the same host on another port', { origin: 'http://localhost:1338' }],
    ['a key created for another host', { rpId: 'evil.example' }],
    ['a response of another type', { type: 'webauthn.get' }],
    ['a key without user presence', { isPresent: false }],
    ['a key with another id in the attestation', { credentialId: 'AAAA' }],
  ])('refuses %s and creates no user', async (title, overrides) => {
    const email = `${title.replaceAll(' ', '-')}@refused.example`.replaceAll('’', '');
    const options = await begin(email);
    const credential = softwareAuthenticator().create(options, overrides);
    const { status, body } = await verify({ credential });
    expect(status).toBe(400);
    expect(body).toEqual(INVALID_REQUEST);
    expect(await userOf(email)).toBeUndefined();
  });

  it('refuses the same response a second time', async () => {
    const credential = softwareAuthenticator().create(await begin('again@example.com'));
    expect((await verify({ credential })).status).toBe(200);
    expect((await verify({ credential })).body).toEqual(INVALID_REQUEST);
  });

  it('refuses a second attempt after a wrong one', async () => {
    const options = await begin('second-try@example.com');
    const key = softwareAuthenticator();
    await verify({ credential: key.create(options, { origin: 'https://evil.example' }) });
    expect((await verify({ credential: key.create(options) })).body).toEqual(INVALID_REQUEST);
  });

  it('refuses a response after more than a minute', async () => {
    const options = await begin('slow@example.com');
    await sql`update auth.challenges set expires_at = expires_at - interval '61 seconds'
      where challenge = ${options.challenge}`.execute(backend.db);
    const credential = softwareAuthenticator().create(options);
    expect((await verify({ credential })).body).toEqual(INVALID_REQUEST);
    expect(await userOf('slow@example.com')).toBeUndefined();
  });

  it('refuses a key that is already registered, and creates no user', async () => {
    const { key } = await signUpWithKey(backend, 'first@example.com');
    const options = await begin('thief@example.com');
    expect((await verify({ credential: key.create(options) })).body).toEqual(INVALID_REQUEST);
    expect(await userOf('thief@example.com')).toBeUndefined();
  });

  it('reports that the address was taken in the meantime', async () => {
    const options = await begin('between@example.com');
    await backend.signUp('between@example.com');
    const credential = softwareAuthenticator().create(options);
    expect((await verify({ credential })).body).toMatchObject({ error: 'user-already-exists' });
  });

  it.each([
    ['no body', ''],
    ['no credential', {}],
    ['null as credential', { credential: null }],
    ['an empty credential', { credential: {} }],
    [
      'a list as response',
      { credential: { id: 'a', rawId: 'a', type: 'public-key', response: [] } },
    ],
    [
      'invalid attestation data',
      {
        credential: {
          id: 'a',
          rawId: 'a',
          type: 'public-key',
          response: { attestationObject: 'oGFh', clientDataJSON: 'e30' },
        },
      },
    ],
  ])('refuses %s', async (_, body) => {
    expect((await verify(body)).body).toEqual(INVALID_REQUEST);
  });

  it.each([
    ['no CBOR', 'AAAA'],
    ['CBOR that is no map', 'gQE'],
    ['an empty map', 'oA'],
    ['a truncated map', 'o2NmbXQ'],
  ])('refuses an attestation that is %s', async (title, attestationObject) => {
    const options = await begin(`${title.replaceAll(' ', '-')}@cbor.example`);
    const credential = softwareAuthenticator().create(options);
    credential.response.attestationObject = attestationObject;
    expect((await verify({ credential })).body).toEqual(INVALID_REQUEST);
  });
});

describe('if e-mail verification is required', () => {
  let strict: Backend;
  beforeAll(async () => {
    strict = await startBackend({ settings: { requireVerifiedEmail: true } });
  });
  afterAll(async () => {
    expect(strict.errors).toEqual([]);
    await strict.stop();
  });

  it('sends a mail instead of opening a session, and the key signs in only after verification', async () => {
    const email = 'strict@example.com';
    const { key, session } = await signUpWithKey(strict, email);
    expect(session).toBeUndefined();
    expect(strict.mails.map(({ to }) => to)).toEqual([email]);

    const signIn = async () => {
      const options = await requestSignature(strict, { email });
      return await strict.post('/v1/auth/signin/webauthn/verify', { credential: key.get(options) });
    };
    expect((await signIn()).body).toMatchObject({ status: 401, error: 'unverified-user' });
    await strict.db.updateTable('auth.users').set({ email_verified: true }).execute();
    expect((await signIn()).status).toBe(200);
  });
});
