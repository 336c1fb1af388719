import { randomUUID } from 'node:crypto';
import type { Session } from '@longshore/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Backend, bearer, startBackend } from '../../../test/backend.ts';

const PATH = '/v1/auth/user/deanonymize';

let backend: Backend;
beforeAll(async () => {
  backend = await startBackend();
});
afterAll(async () => {
  expect(backend.errors).toEqual([]);
  await backend.stop();
});

const newEmail = () => `${randomUUID()}@example.com`;
const newPhoneNumber = () => `+1555${String(Math.random()).slice(2, 10)}`;

async function anonymous(at = backend): Promise<Session> {
  const { body } = await at.post<{ session: Session }>('/v1/auth/signin/anonymous', '');
  return body.session;
}

const deanonymize = (session: Session, body: unknown, at = backend) =>
  at.post<unknown>(PATH, body, bearer(session));

const refresh = ({ refreshToken }: Session, at = backend) =>
  at.post<Session>('/v1/auth/token', { refreshToken });

function byPassword(email = newEmail()) {
  return { signInMethod: 'email-password', email, password: 'correct horse' };
}

describe('POST /user/deanonymize with a password', () => {
  it('keeps the user and the session, and sets the address', async () => {
    const session = await anonymous();
    const body = byPassword();
    const response = await deanonymize(session, {
      ...body,
      options: { displayName: 'Ada', locale: 'de', metadata: { a: 1 } },
    });
    expect(response).toMatchObject({ status: 200, body: 'OK' });
    const refreshed = await refresh(session);
    expect(refreshed.body.user).toMatchObject({
      id: session.user.id,
      email: body.email,
      emailVerified: false,
      isAnonymous: false,
      displayName: 'Ada',
      locale: 'de',
      metadata: { a: 1 },
      defaultRole: 'user',
      roles: ['user', 'me'],
    });
    const [joined, cameAnonymously] = [refreshed.body, session].map(({ user }) => user.createdAt);
    expect(Date.parse(joined ?? '')).toBeGreaterThan(Date.parse(cameAnonymously ?? ''));
    const { status } = await backend.post('/v1/auth/signin/email-password', body);
    expect(status).toBe(200);
    expect(backend.mails.filter(({ to }) => to === body.email)).toEqual([]);
  });

  it('mails a link and ends the sessions if e-mail verification is required', async () => {
    const strict = await startBackend({ settings: { requireVerifiedEmail: true } });
    const session = await anonymous(strict);
    const body = byPassword();
    expect((await deanonymize(session, body, strict)).body).toBe('OK');
    expect((await refresh(session, strict)).status).toBe(401);
    const signIn = () => strict.post('/v1/auth/signin/email-password', body);
    expect((await signIn()).body).toMatchObject({ error: 'unverified-user' });
    const [mail] = strict.mails;
    expect(mail).toMatchObject({ to: body.email, purpose: 'verify-email' });
    const link = new URL(mail?.link ?? '');
    expect((await strict.app.request(`${link.pathname}${link.search}`)).status).toBe(302);
    expect((await signIn()).status).toBe(200);
    expect(strict.errors).toEqual([]);
    await strict.stop();
  });
});

describe('POST /user/deanonymize without a password', () => {
  it.each([
    ['no connection', {}],
    ['connection "email"', { connection: 'email' }],
  ])('mails a link that signs in, with %s', async (_, connection) => {
    const session = await anonymous();
    const email = newEmail();
    await deanonymize(session, { signInMethod: 'passwordless', email, ...connection });
    expect((await refresh(session)).status).toBe(401);
    const mail = backend.mails.find(({ to }) => to === email);
    expect(mail).toMatchObject({ purpose: 'sign-in-link', displayName: email });
    const link = new URL(mail?.link ?? '');
    const response = await backend.app.request(`${link.pathname}${link.search}`);
    const target = new URL(response.headers.get('location') ?? '');
    const refreshToken = target.searchParams.get('refreshToken');
    const { body } = await backend.post<Session>('/v1/auth/token', { refreshToken });
    expect(body.user).toMatchObject({ id: session.user.id, email, emailVerified: true });
  });

  it('sends a code by SMS that signs in', async () => {
    const session = await anonymous();
    const phoneNumber = newPhoneNumber();
    const body = { signInMethod: 'passwordless', connection: 'sms', phoneNumber };
    expect((await deanonymize(session, body)).body).toBe('OK');
    expect((await refresh(session)).status).toBe(401);
    const otp = backend.texts.at(-1)?.text.slice(0, 6);
    const response = await backend.post<{ session: Session }>(
      '/v1/auth/signin/passwordless/sms/otp',
      { phoneNumber, otp },
    );
    expect(response.body.session.user).toMatchObject({
      id: session.user.id,
      phoneNumber,
      phoneNumberVerified: true,
      isAnonymous: false,
      displayName: phoneNumber,
    });
  });
});

describe('POST /user/deanonymize', () => {
  it.each([
    ['no method', { email: 'a@example.com', password: 'correct horse' }, 'invalid-request'],
    ['an unknown method', { ...byPassword(), signInMethod: 'pigeon' }, 'invalid-request'],
    ['no password', { ...byPassword(), password: null }, 'invalid-request'],
    ['a short password', { ...byPassword(), password: 'ab' }, 'password-too-short'],
    ['no address', { signInMethod: 'passwordless' }, 'invalid-request'],
    [
      'no phone number',
      { signInMethod: 'passwordless', connection: 'sms', email: 'a@example.com' },
      'invalid-request',
    ],
    [
      'an invalid phone number',
      { signInMethod: 'passwordless', connection: 'sms', phoneNumber: 'call me' },
      'cannot-send-sms',
    ],
    [
      'a redirect that is not allowed',
      { ...byPassword(), options: { redirectTo: 'https://evil.example' } },
      'redirectTo-not-allowed',
    ],
    [
      'a role that cannot be granted',
      { ...byPassword(), options: { allowedRoles: ['admin'] } },
      'role-not-allowed',
    ],
  ])('refuses %s, and the user stays anonymous', async (_, body, error) => {
    const session = await anonymous();
    expect((await deanonymize(session, body)).body).toMatchObject({ status: 400, error });
    expect((await refresh(session)).body.user).toEqual(session.user);
  });

  it('refuses an address that is taken, ignoring case', async () => {
    const { user } = await backend.signUp();
    const session = await anonymous();
    const { body } = await deanonymize(session, byPassword(user.email?.toUpperCase()));
    expect(body).toMatchObject({ status: 409, error: 'user-already-exists' });
    expect((await refresh(session)).body.user.isAnonymous).toBe(true);
  });

  it('lets only one of two simultaneous requests register an address', async () => {
    const body = byPassword();
    const sessions = await Promise.all([anonymous(), anonymous()]);
    const responses = await Promise.all(sessions.map((session) => deanonymize(session, body)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('refuses a registered user', async () => {
    const session = await anonymous();
    await deanonymize(session, byPassword());
    const { body } = await deanonymize(session, byPassword());
    expect(body).toMatchObject({ status: 400, error: 'user-not-anonymous' });
  });

  it('refuses an unauthenticated caller', async () => {
    expect((await backend.post(PATH, byPassword())).body).toMatchObject({
      status: 401,
      error: 'unauthorized',
    });
  });

  it('changes nothing when the SMS cannot be sent, so that the user can try again', async () => {
    const smsSender = { send: () => Promise.reject(new Error('The gateway is down')) };
    const broken = await startBackend({ smsSender });
    const session = await anonymous(broken);
    const phoneNumber = newPhoneNumber();
    const body = { signInMethod: 'passwordless', connection: 'sms', phoneNumber };
    const response = await deanonymize(session, body, broken);
    expect(response.body).toMatchObject({ status: 400, error: 'cannot-send-sms' });
    expect((await refresh(session, broken)).body.user).toEqual(session.user);
    await broken.stop();
  });
});
