import { randomUUID } from 'node:crypto';
import type { PublicKeyCredentialCreationOptionsJSON as CreationOptions } from '@simplewebauthn/server';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { softwareAuthenticator } from '../../test/auth/software-authenticator.ts';
import { type Backend, startBackend } from '../../test/backend.ts';

const failure = new Error('The mail server is down');
const password = 'correct horse';
let backend: Backend;
let isDown: boolean;
beforeAll(async () => {
  const send = () => (isDown ? Promise.reject(failure) : Promise.resolve());
  backend = await startBackend({
    mailer: { send },
    smsSender: { send },
    settings: { requireVerifiedEmail: true },
  });
});
beforeEach(() => {
  isDown = true;
  backend.errors.length = 0;
});
afterAll(() => backend.stop());

const SIGN_UPS: Record<string, (email: string) => Promise<{ status: number; body: unknown }>> = {
  'a password': (email) => backend.post('/v1/auth/signup/email-password', { email, password }),
  'a security key': async (email) => {
    const { body } = await backend.post<CreationOptions>('/v1/auth/signup/webauthn', { email });
    const credential = softwareAuthenticator().create(body);
    return await backend.post('/v1/auth/signup/webauthn/verify', { credential });
  },
  'a link': (email) => backend.post('/v1/auth/signin/passwordless/email', { email }),
  'a code': (email) => backend.post('/v1/auth/signin/otp/email', { email }),
};

const userAt = (email: string) =>
  backend.db.selectFrom('auth.users').select('id').where('email', '=', email).executeTakeFirst();

describe.each(Object.entries(SIGN_UPS))('signing up with %s', (_, signUp) => {
  it('deletes the new user when the mail fails, and works on the next try', async () => {
    const email = `${randomUUID()}@example.com`;
    expect(await signUp(email)).toMatchObject({
      status: 500,
      body: { status: 500, error: 'internal-server-error' },
    });
    expect(backend.errors).toEqual([failure]);
    expect(await userAt(email)).toBeUndefined();
    isDown = false;
    expect((await signUp(email)).status).toBe(200);
    expect(await userAt(email)).toBeDefined();
  });
});

it.each(['a link', 'a code'])('keeps an existing user when sending %s fails', async (method) => {
  const email = `${randomUUID()}@example.com`;
  isDown = false;
  await SIGN_UPS['a link']?.(email);
  isDown = true;
  expect((await SIGN_UPS[method]?.(email))?.status).toBe(500);
  expect(await userAt(email)).toBeDefined();
});
