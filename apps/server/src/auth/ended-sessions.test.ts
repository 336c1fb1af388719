import type { Session } from '@longshore/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { linkFor } from '../../test/auth/mail-links.ts';
import { type Backend, bearer, startBackend, stopWithoutErrors } from '../../test/backend.ts';
import { Secret } from '../secrets/secret.ts';

let backend: Backend;
beforeAll(async () => {
  const github = { url: HOST, clientId: 'longshore', clientSecret: new Secret('github secret') };
  backend = await startBackend({ settings: { providers: { github } } });
});
afterAll(() => stopWithoutErrors(backend));

const HOST = 'https://github.example';
const password = 'correct horse';
const post = (path: string, body: unknown, session: Session) =>
  backend.post(`/v1/auth${path}`, body, bearer(session));

async function signIn(email: string): Promise<Session> {
  const response = await backend.post<{ session: Session }>('/v1/auth/signin/email-password', {
    email,
    password,
  });
  return response.body.session;
}

/** Ways to end an attacker's session, whose access token stays valid for 15 minutes. */
const ENDS: [string, (owner: Session, attacker: Session) => Promise<unknown>][] = [
  [
    'the password was changed',
    (owner) => post('/user/password', { newPassword: 'another horse' }, owner),
  ],
  ['all sessions were signed out', (owner) => post('/signout', { all: true }, owner)],
  [
    'the session was revoked',
    (owner, attacker) =>
      backend.request(`/v1/auth/sessions/${attacker.refreshTokenId}`, {
        method: 'DELETE',
        headers: bearer(owner),
      }),
  ],
  [
    'the client signed out',
    (_, { refreshToken }) => backend.post('/v1/auth/signout', { refreshToken }),
  ],
];

/** Actions that would let an attacker regain access. */
const ACTIONS: [string, string, unknown][] = [
  ['change the password', '/user/password', { newPassword: 'a thief’s horse' }],
  ['change the address', '/user/email/change', { newEmail: 'thief@example.com' }],
  ['create a personal access token', '/pat', { expiresAt: '2099-01-01T00:00:00Z' }],
  ['add a security key', '/user/webauthn/add', {}],
];

describe.each(ENDS)('an access token whose session ended because %s', (reason, end) => {
  it('cannot be used to regain access', async () => {
    const email = `${reason.replaceAll(' ', '-')}@example.com`;
    const owner = await backend.signUp(email);
    const attacker = await signIn(email);
    await end(owner, attacker);
    for (const [action, path, body] of ACTIONS) {
      expect(await post(path, body, attacker), action).toMatchObject({
        status: 401,
        body: { error: 'unauthorized' },
      });
    }
  });
});

it('links no provider account with an access token whose session ended', async () => {
  const session = await backend.signUp();
  const query = new URLSearchParams({ connect: session.accessToken });
  const startSignIn = async () =>
    (await backend.request(`/v1/auth/signin/provider/github?${query}`)).headers.get('location');
  expect(await startSignIn()).toContain(HOST);
  await post('/signout', { all: true }, session);
  expect(await startSignIn()).toContain('error=invalid-request');
});

it('links no provider account for a navigation from another site', async () => {
  const query = new URLSearchParams({ connect: (await backend.signUp()).accessToken });
  const startSignIn = (site: string) =>
    backend.request(`/v1/auth/signin/provider/github?${query}`, {
      headers: { 'sec-fetch-site': site },
    });
  expect((await startSignIn('same-origin')).headers.get('location')).toContain(HOST);
  const { headers } = await startSignIn('cross-site');
  expect(headers.get('location')).toContain('error=invalid-request');
  expect(headers.get('set-cookie')).toBeNull();
});

it('changes the password with a ticket for a client whose session ended', async () => {
  const session = await backend.signUp('signed-out@example.com');
  await backend.post('/v1/auth/user/password/reset', { email: 'signed-out@example.com' });
  await expect
    .poll(() => backend.mails.some(({ to }) => to === 'signed-out@example.com'))
    .toBe(true);
  const ticket = linkFor(backend, 'signed-out@example.com').searchParams.get('ticket');
  await post('/signout', { all: true }, session);
  const body = { newPassword: 'another horse', ticket };
  expect((await post('/user/password', body, session)).status).toBe(200);
});

it('creates no personal access token for a user with an unverified phone number', async () => {
  const { body } = await backend.post<{ session: Session }>('/v1/auth/signin/anonymous', '');
  const phoneNumber = '+4915100000009';
  const registration = { signInMethod: 'passwordless', connection: 'sms', phoneNumber };
  expect((await post('/user/deanonymize', registration, body.session)).status).toBe(200);
  const pat = await post('/pat', { expiresAt: '2099-01-01T00:00:00Z' }, body.session);
  expect(pat.status).toBe(401);
});
