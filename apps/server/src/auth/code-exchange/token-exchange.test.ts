import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Session } from '@longshore/contract';
import type { PublicKeyCredentialCreationOptionsJSON as CreationOptions } from '@simplewebauthn/server';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditedKinds, follow, linkFor } from '../../../test/auth/mail-links.ts';
import { softwareAuthenticator } from '../../../test/auth/software-authenticator.ts';
import { type Backend, bearer, startBackend, stopWithoutErrors } from '../../../test/backend.ts';

const password = 'correct horse';
let backend: Backend;
beforeAll(async () => {
  backend = await startBackend({ settings: { requireVerifiedEmail: true } });
});
afterAll(() => stopWithoutErrors(backend));

const newEmail = () => `${randomUUID()}@example.com`;
const newCodePair = () => {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
};
const exchange = (code: unknown, codeVerifier: unknown) =>
  backend.post<{ session: Session }>('/v1/auth/token/exchange', { code, codeVerifier });

async function signUpVerified(email: string): Promise<Session> {
  await backend.post('/v1/auth/signup/email-password', { email, password });
  const { parameters } = await follow(backend, linkFor(backend, email));
  return (await backend.post<Session>('/v1/auth/token', parameters)).body;
}

/** Every endpoint that mails a link. Each function returns the recipient. */
const LINK_REQUESTS: Record<string, (codeChallenge: unknown) => Promise<string>> = {
  '/signup/email-password': async (codeChallenge) => {
    const email = newEmail();
    await backend.post('/v1/auth/signup/email-password', { email, password, codeChallenge });
    return email;
  },
  '/signup/webauthn/verify': async (codeChallenge) => {
    const email = newEmail();
    const { body } = await backend.post<CreationOptions>('/v1/auth/signup/webauthn', { email });
    const credential = softwareAuthenticator().create(body);
    await backend.post('/v1/auth/signup/webauthn/verify', { credential, codeChallenge });
    return email;
  },
  '/signin/passwordless/email': async (codeChallenge) => {
    const email = newEmail();
    await backend.post('/v1/auth/signin/passwordless/email', { email, codeChallenge });
    return email;
  },
  '/signup/passwordless/email': async (codeChallenge) => {
    const email = newEmail();
    await backend.post('/v1/auth/signup/passwordless/email', { email, codeChallenge });
    return email;
  },
  '/user/email/send-verification-email': async (codeChallenge) => {
    const email = newEmail();
    await backend.post('/v1/auth/signup/email-password', { email, password });
    await backend.post('/v1/auth/user/email/send-verification-email', { email, codeChallenge });
    return email;
  },
  '/user/password/reset': async (codeChallenge) => {
    const email = newEmail();
    await signUpVerified(email);
    await backend.post('/v1/auth/user/password/reset', { email, codeChallenge });
    return email;
  },
  '/user/email/change': async (codeChallenge) => {
    const session = await signUpVerified(newEmail());
    const body = { newEmail: newEmail(), codeChallenge };
    await backend.post('/v1/auth/user/email/change', body, bearer(session));
    return body.newEmail;
  },
  '/user/deanonymize': async (codeChallenge) => {
    const { body } = await backend.post<{ session: Session }>('/v1/auth/signin/anonymous', {});
    const registration = {
      signInMethod: 'email-password',
      email: newEmail(),
      password,
      codeChallenge,
    };
    await backend.post('/v1/auth/user/deanonymize', registration, bearer(body.session));
    return registration.email;
  },
};

/** A code from a redirect, with its verifier and user. */
async function receiveCode() {
  const { verifier, challenge } = newCodePair();
  const email = newEmail();
  const { user } = await signUpVerified(email);
  await backend.post('/v1/auth/user/password/reset', { email, codeChallenge: challenge });
  const { parameters } = await follow(backend, linkFor(backend, email));
  return { code: parameters.code ?? '', verifier, user, email };
}

describe.each(Object.entries(LINK_REQUESTS))(
  'a link requested with a challenge at %s',
  (_, requestLink) => {
    it('redirects with a code that can be exchanged for a session with its verifier', async () => {
      const { verifier, challenge } = newCodePair();
      const to = await requestLink(challenge);
      const link = linkFor(backend, to);
      expect(link.searchParams.get('codeChallenge')).toBe(challenge);
      const { status, parameters } = await follow(backend, link);
      expect(status).toBe(302);
      expect(parameters).toEqual({
        code: expect.stringMatching(/^[\w-]{43}$/),
        type: expect.any(String),
      });
      const { status: exchanged, body } = await exchange(parameters.code, verifier);
      expect(exchanged).toBe(200);
      expect(body.session.user).toMatchObject({ email: to, emailVerified: true });
      const { refreshToken } = body.session;
      expect((await backend.post('/v1/auth/token', { refreshToken })).status).toBe(200);
    });

    it('is not mailed for an invalid challenge', async () => {
      const before = backend.mails.length;
      for (const challenge of ['', 'plain', 7, ['a'.repeat(43)]]) {
        await requestLink(challenge).catch(() => {});
      }
      const links = backend.mails.slice(before).map(({ link }) => new URL(link ?? ''));
      expect(links.filter(({ searchParams }) => searchParams.has('codeChallenge'))).toEqual([]);
    });
  },
);

describe('POST /token/exchange', () => {
  it('accepts a code once', async () => {
    const { code, verifier } = await receiveCode();
    expect((await exchange(code, verifier)).status).toBe(200);
    expect(await exchange(code, verifier)).toMatchObject({
      status: 400,
      body: { status: 400, error: 'invalid-request' },
    });
  });

  it('lets one of two simultaneous exchanges succeed', async () => {
    const { code, verifier } = await receiveCode();
    const responses = await Promise.all([exchange(code, verifier), exchange(code, verifier)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it('refuses a wrong verifier, and the right one afterwards', async () => {
    const { code, verifier } = await receiveCode();
    expect((await exchange(code, newCodePair().verifier)).status).toBe(400);
    expect((await exchange(code, verifier)).status).toBe(400);
  });

  it('does not accept the challenge as verifier', async () => {
    const { verifier, challenge } = newCodePair();
    const email = await LINK_REQUESTS['/signin/passwordless/email']?.(challenge);
    const { parameters } = await follow(backend, linkFor(backend, email ?? ''));
    expect((await exchange(parameters.code, challenge)).status).toBe(400);
    expect((await exchange(parameters.code, verifier)).status).toBe(400);
  });

  it('refuses a code after five minutes', async () => {
    const { code, verifier, user } = await receiveCode();
    await backend.db
      .updateTable('auth.exchange_codes')
      .set({ expires_at: sql`expires_at - interval '301 seconds'` })
      .where('user_id', '=', user.id)
      .execute();
    expect((await exchange(code, verifier)).status).toBe(400);
  });

  it('refuses a user who was disabled in the meantime', async () => {
    const { code, verifier, user } = await receiveCode();
    await backend.db
      .updateTable('auth.users')
      .set({ disabled: true })
      .where('id', '=', user.id)
      .execute();
    expect((await exchange(code, verifier)).body).toMatchObject({ error: 'disabled-user' });
  });

  it.each<[string, (session: Session) => Promise<unknown>]>([
    [
      'the password was changed',
      (session) =>
        backend.post('/v1/auth/user/password', { newPassword: 'another horse' }, bearer(session)),
    ],
    [
      'all sessions were signed out',
      (session) => backend.post('/v1/auth/signout', { all: true }, bearer(session)),
    ],
  ])('refuses a code that was issued before %s', async (_, act) => {
    const { code, verifier, email } = await receiveCode();
    const { body } = await backend.post<{ session: Session }>('/v1/auth/signin/email-password', {
      email,
      password,
    });
    await act(body.session);
    expect((await exchange(code, verifier)).status).toBe(400);
  });

  it.each([
    ['no code', undefined, newCodePair().verifier],
    ['an unknown code', 'a'.repeat(43), newCodePair().verifier],
    ['no verifier', 'a'.repeat(43), undefined],
    ['a short verifier', 'a'.repeat(43), 'a'.repeat(42)],
    ['a long verifier', 'a'.repeat(43), 'a'.repeat(129)],
    ['a list as code', ['a'], newCodePair().verifier],
  ])('refuses %s', async (_, code, verifier) => {
    expect((await exchange(code, verifier)).body).toEqual({
      status: 400,
      error: 'invalid-request',
      message: 'The request payload is incorrect',
    });
  });

  it('stores no code in plain text, and opens no session before the exchange', async () => {
    const { code, user, verifier } = await receiveCode();
    const rows = await backend.db.selectFrom('auth.exchange_codes').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(code);
    const before = await auditedKinds(backend, user.id);
    await exchange(code, verifier);
    expect(await auditedKinds(backend, user.id)).toEqual([...before, 'signed-in']);
  });
});

it('redirects with an error and keeps the ticket valid when the challenge in a link is invalid', async () => {
  const email = (await LINK_REQUESTS['/signin/passwordless/email']?.(undefined)) ?? '';
  const link = linkFor(backend, email);
  const broken = new URL(link);
  broken.searchParams.set('codeChallenge', 'short');
  expect((await follow(backend, broken)).parameters).toMatchObject({ error: 'invalid-request' });
  expect((await follow(backend, link)).parameters).toHaveProperty('refreshToken');
});
