import type { Session } from '@longshore/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Backend, bearer, startBackend, stopWithoutErrors } from '../../test/backend.ts';
import { linkFor } from '../../test/mail-links.ts';
import { Secret } from '../secrets/secret.ts';

let backend: Backend;
beforeAll(async () => {
  const github = { url: HOST, clientId: 'longshore', clientSecret: new Secret('of github') };
  backend = await startBackend({ settings: { providers: { github } } });
});
afterAll(() => stopWithoutErrors(backend));

const HOST = 'https://github.example';
const password = 'correct horse';
const post = (path: string, body: unknown, session: Session) =>
  backend.post(`/v1/auth${path}`, body, bearer(session));

async function signIn(email: string): Promise<Session> {
  const answer = await backend.post<{ session: Session }>('/v1/auth/signin/email-password', {
    email,
    password,
  });
  return answer.body.session;
}

/** How the owner throws out a thief whose access token lives on for a quarter of an hour. */
const ENDS: [string, (owner: Session, thief: Session) => Promise<unknown>][] = [
  [
    'the password was changed',
    (owner) => post('/user/password', { newPassword: 'another horse' }, owner),
  ],
  ['everybody was signed out', (owner) => post('/signout', { all: true }, owner)],
  [
    'the session was revoked',
    (owner, thief) =>
      backend.ask(`/v1/auth/sessions/${thief.refreshTokenId}`, {
        method: 'DELETE',
        headers: bearer(owner),
      }),
  ],
  ['it signed out', (_, { refreshToken }) => backend.post('/v1/auth/signout', { refreshToken })],
];

/** What would bring a thief back in. */
const WAYS_BACK: [string, string, unknown][] = [
  ['change the password', '/user/password', { newPassword: 'a thief’s horse' }],
  ['change the address', '/user/email/change', { newEmail: 'thief@example.com' }],
  ['make an access token', '/pat', { expiresAt: '2099-01-01T00:00:00Z' }],
  ['add a security key', '/user/webauthn/add', {}],
];

describe.each(ENDS)('an access token whose session is over because %s', (why, end) => {
  it('brings nobody back in', async () => {
    const email = `${why.replaceAll(' ', '-')}@example.com`;
    const owner = await backend.signUp(email);
    const thief = await signIn(email);
    await end(owner, thief);
    for (const [act, path, body] of WAYS_BACK) {
      expect(await post(path, body, thief), act).toMatchObject({
        status: 401,
        body: { error: 'unauthorized' },
      });
    }
  });
});

it('links no provider with an access token whose session is over', async () => {
  const session = await backend.signUp();
  const query = new URLSearchParams({ connect: session.accessToken });
  const leave = async () =>
    (await backend.ask(`/v1/auth/signin/provider/github?${query}`)).headers.get('location');
  expect(await leave()).toContain(HOST);
  await post('/signout', { all: true }, session);
  expect(await leave()).toContain('error=invalid-request');
});

it('links no provider for a page of another site, which could bring its own access token', async () => {
  const query = new URLSearchParams({ connect: (await backend.signUp()).accessToken });
  const leave = (site: string) =>
    backend.ask(`/v1/auth/signin/provider/github?${query}`, {
      headers: { 'sec-fetch-site': site },
    });
  expect((await leave('same-origin')).headers.get('location')).toContain(HOST);
  const { headers } = await leave('cross-site');
  expect(headers.get('location')).toContain('error=invalid-request');
  expect(headers.get('set-cookie')).toBeNull();
});

it('still changes the password by ticket for a client whose session is over', async () => {
  const session = await backend.signUp('late@example.com');
  await backend.post('/v1/auth/user/password/reset', { email: 'late@example.com' });
  await expect.poll(() => backend.mails.some(({ to }) => to === 'late@example.com')).toBe(true);
  const ticket = linkFor(backend, 'late@example.com').searchParams.get('ticket');
  await post('/signout', { all: true }, session);
  const body = { newPassword: 'another horse', ticket };
  expect((await post('/user/password', body, session)).status).toBe(200);
});

it('makes no access token for a number that was named and never proven', async () => {
  const { body } = await backend.post<{ session: Session }>('/v1/auth/signin/anonymous', '');
  const phoneNumber = '+4915100000009';
  const wish = { signInMethod: 'passwordless', connection: 'sms', phoneNumber };
  expect((await post('/user/deanonymize', wish, body.session)).status).toBe(200);
  const pat = await post('/pat', { expiresAt: '2099-01-01T00:00:00Z' }, body.session);
  expect(pat.status).toBe(401);
});
