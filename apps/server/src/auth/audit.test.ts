import { randomUUID } from 'node:crypto';
import type { Session } from '@longshore/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Backend, bearer, startBackend, stopWithoutErrors } from '../../test/backend.ts';

let backend: Backend;
beforeAll(async () => {
  backend = await startBackend();
});
afterAll(async () => {
  expect(backend.errors).toEqual([]);
  await backend.stop();
});

const kindsOf = async (userId: string | null) => {
  const query = backend.db.selectFrom('auth.events').select('kind').orderBy('id');
  const events = await query.where('user_id', 'is not distinct from', userId).execute();
  return events.map(({ kind }) => kind);
};

const signIn = (email: string, password: string) =>
  backend.post<{ session: Session }>('/v1/auth/signin/email-password', { email, password });

it('records sign-up, sign-in, refused sign-in and both kinds of sign-out', async () => {
  const session = await backend.signUp('audit@example.com');
  const other = await signIn('audit@example.com', 'correct horse');
  await signIn('audit@example.com', 'wrong horse');
  await backend.post('/v1/auth/signout', { refreshToken: session.refreshToken });
  await backend.post('/v1/auth/signout', { all: true }, bearer(other.body.session));
  expect(await kindsOf(session.user.id)).toEqual([
    'signed-up',
    'signed-in',
    'sign-in-refused',
    'signed-out',
    'signed-out-everywhere',
  ]);
});

it.each([
  ['192.0.2.1', '203.0.113.9'],
  ['192.0.2.2', '192.0.2.2'],
])('records for a request from %s the client %s', async (remoteAddress, address) => {
  const proxied = await startBackend({ trustedProxies: ['192.0.2.1'] });
  const incoming = {
    headers: { 'x-forwarded-for': '6.6.6.6, 203.0.113.9' },
    socket: { remoteAddress },
  };
  const body = JSON.stringify({ email: 'unknown@example.com', password: 'wrong horse' });
  const request = { method: 'POST', body };
  await proxied.app.request('/v1/auth/signin/email-password', request, { incoming });
  const events = await proxied.db.selectFrom('auth.events').select('address').execute();
  expect(events).toEqual([{ address }]);
  await stopWithoutErrors(proxied);
});

it('records a refused sign-in for an unknown address', async () => {
  await signIn('unknown@example.com', 'correct horse');
  expect(await kindsOf(null)).toEqual(['sign-in-refused']);
});

it('records 300 wrong tokens of one address in five minutes, and every event of an account', async () => {
  const flooded = await startBackend();
  const now = Date.now();
  flooded.clock.now = () => now + flooded.clock.ahead;
  const session = await flooded.signUp('flooded@example.com');
  const countOf = async (userId: string | null) => {
    const query = flooded.db.selectFrom('auth.events').select('id');
    return (await query.where('user_id', 'is not distinct from', userId).execute()).length;
  };
  const tryPat = () => flooded.post('/v1/auth/signin/pat', { personalAccessToken: randomUUID() });
  for (let count = 0; count < 310; count += 1) expect((await tryPat()).status).toBe(401);
  expect(await countOf(null)).toBe(300);
  const before = await countOf(session.user.id);
  await flooded.post('/v1/auth/signin/email-password', {
    email: 'flooded@example.com',
    password: 'wrong horse',
  });
  expect(await countOf(session.user.id)).toBe(before + 1);
  flooded.clock.ahead = 60_000;
  await tryPat();
  expect(await countOf(null)).toBe(301);
  await stopWithoutErrors(flooded);
});

it('records nothing when a sign-out ended no session', async () => {
  const before = await kindsOf(null);
  await backend.post('/v1/auth/signout', { refreshToken: 'an unknown token' });
  expect(await kindsOf(null)).toEqual(before);
});
