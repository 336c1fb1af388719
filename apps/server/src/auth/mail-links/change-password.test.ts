import { randomUUID } from 'node:crypto';
import type { Session } from '@longshore/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { auditedKinds, follow, linkFor } from '../../../test/auth/mail-links.ts';
import { type Backend, bearer, startBackend } from '../../../test/backend.ts';

const PATH = '/v1/auth/user/password';
const newPassword = 'battery staple';
let backend: Backend;
beforeAll(async () => {
  backend = await startBackend({ settings: { passwordMinLength: 9 } });
});
afterAll(async () => {
  expect(backend.errors).toEqual([]);
  await backend.stop();
});

const newEmail = () => `${randomUUID()}@example.com`;
const signIn = (email: string, password: string) =>
  backend.post<{ session: Session }>('/v1/auth/signin/email-password', { email, password });
const refresh = ({ refreshToken }: Session) =>
  backend.post<Session>('/v1/auth/token', { refreshToken });

async function resetLink(email: string): Promise<URL> {
  await backend.post('/v1/auth/user/password/reset', { email });
  return await vi.waitFor(() => linkFor(backend, email));
}

it('changes the password with a bearer token and ends every other session', async () => {
  const email = newEmail();
  const old = await backend.signUp(email);
  const current = (await signIn(email, 'correct horse')).body.session;
  const newest = (await signIn(email, 'correct horse')).body.session;
  const { status, body } = await backend.post(PATH, { newPassword, ticket: null }, bearer(current));
  expect({ status, body }).toEqual({ status: 200, body: 'OK' });
  expect((await refresh(current)).status).toBe(200);
  for (const other of [old, newest]) expect((await refresh(other)).status).toBe(401);
  expect((await signIn(email, 'correct horse')).status).toBe(401);
  expect((await signIn(email, newPassword)).status).toBe(200);
  expect(await auditedKinds(backend, old.user.id)).toContain('password-changed');
});

it('opens no session for the old password that was checked just before', async () => {
  const email = newEmail();
  const { user } = await backend.signUp(email);
  const other = await backend.signUp(newEmail());
  const signingIn = await backend.db.transaction().execute(async (transaction) => {
    const { password_hash } = await transaction
      .selectFrom('auth.users')
      .select('password_hash')
      .where('id', '=', other.user.id)
      .executeTakeFirstOrThrow();
    await transaction
      .updateTable('auth.users')
      .set({ password_hash })
      .where('id', '=', user.id)
      .execute();
    const answer = signIn(email, 'correct horse');
    await vi.waitFor(async () => {
      const { rows } = await sql`
        select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'
          and query like '%refresh_tokens%for share%'`.execute(backend.db);
      expect(rows).toHaveLength(1);
    }, 30_000);
    return { answer };
  });
  expect(await signingIn.answer).toMatchObject({
    status: 401,
    body: { error: 'invalid-email-password' },
  });
});

it('keeps the session of a bearer token that was refreshed', async () => {
  const first = await backend.signUp(newEmail());
  const refreshed = (await refresh(first)).body;
  await backend.post(PATH, { newPassword }, bearer(refreshed));
  expect((await refresh(refreshed)).status).toBe(200);
});

it('changes the password with the ticket of a reset mail and ends every session', async () => {
  const email = newEmail();
  const session = await backend.signUp(email);
  const ticket = (await resetLink(email)).searchParams.get('ticket');
  expect(await backend.post(PATH, { newPassword, ticket })).toMatchObject({ body: 'OK' });
  expect((await refresh(session)).status).toBe(401);
  expect((await signIn(email, newPassword)).status).toBe(200);
  const again = await backend.post(PATH, { newPassword: 'something else', ticket });
  expect(again.body).toEqual({ status: 401, error: 'invalid-ticket', message: 'Invalid ticket' });
});

it('changes the password with the session that a reset link opens', async () => {
  const email = newEmail();
  await backend.signUp(email);
  const { parameters } = await follow(backend, await resetLink(email));
  const session = (await backend.post<Session>('/v1/auth/token', parameters)).body;
  expect((await backend.post(PATH, { newPassword }, bearer(session))).status).toBe(200);
  expect((await refresh(session)).status).toBe(200);
  expect((await signIn(email, newPassword)).status).toBe(200);
});

it('uses the ticket when the bearer token has expired', async () => {
  const email = newEmail();
  const session = await backend.signUp(email);
  const ticket = (await resetLink(email)).searchParams.get('ticket');
  backend.clock.ahead = 3_600_000;
  const { status } = await backend.post(PATH, { newPassword, ticket }, bearer(session));
  backend.clock.ahead = 0;
  expect(status).toBe(200);
});

it('invalidates links that were mailed before', async () => {
  const email = newEmail();
  const session = await backend.signUp(email);
  const link = await resetLink(email);
  await backend.post(PATH, { newPassword }, bearer(session));
  expect((await follow(backend, link)).parameters).toMatchObject({ error: 'invalid-ticket' });
});

it('keeps the ticket valid when the password is too short', async () => {
  const email = newEmail();
  await backend.signUp(email);
  const ticket = (await resetLink(email)).searchParams.get('ticket');
  const short = await backend.post(PATH, { newPassword: '12345678', ticket });
  expect(short.body).toMatchObject({ status: 400, error: 'password-too-short' });
  expect((await backend.post(PATH, { newPassword, ticket })).status).toBe(200);
});

it('refuses tickets of other purposes, which stay valid', async () => {
  const email = newEmail();
  await backend.signUp(email);
  await backend.post('/v1/auth/signin/passwordless/email', { email });
  const link = linkFor(backend, email);
  const { body } = await backend.post(PATH, {
    newPassword,
    ticket: link.searchParams.get('ticket'),
  });
  expect(body).toMatchObject({ status: 401, error: 'invalid-ticket' });
  expect((await follow(backend, link)).parameters).toHaveProperty('refreshToken');
});

it.each([
  ['invalid-request', 400, {}],
  ['invalid-request', 400, { ticket: null }],
  ['invalid-ticket', 401, { ticket: '' }],
  ['invalid-ticket', 401, { ticket: `passwordReset:${randomUUID()}` }],
])('responds with %s (%i) to %j without a bearer token', async (error, status, fields) => {
  expect(await backend.post(PATH, { newPassword, ...fields })).toMatchObject({
    status,
    body: { status, error },
  });
});

it('refuses an anonymous user', async () => {
  const { body } = await backend.post<{ session: Session }>('/v1/auth/signin/anonymous', {});
  const response = await backend.post(PATH, { newPassword }, bearer(body.session));
  expect(response.body).toMatchObject({ status: 403, error: 'forbidden-anonymous' });
});
