import type { Session } from '@longshore/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Backend, startBackend } from '../../test/backend.ts';

let backend: Backend;
beforeAll(async () => {
  backend = await startBackend();
});
afterAll(async () => {
  expect(backend.errors).toEqual([]);
  await backend.stop();
});

const refresh = (refreshToken: string, headers = {}) =>
  backend.post<Session>('/v1/auth/token', { refreshToken }, headers);

/** A session and its tokens after a number of refreshes, the first token first. */
async function refreshed(times: number) {
  const session = await backend.signUp();
  const tokens = [session.refreshToken];
  for (let count = 0; count < times; count += 1) {
    tokens.push((await refresh(tokens[count] ?? '')).body.refreshToken);
  }
  return { session, tokens };
}

async function letGracePass({ refreshTokenId }: Session) {
  await backend.db
    .updateTable('auth.spent_refresh_tokens')
    .set({ spent_at: sql`spent_at - interval '61 seconds'` })
    .where('session_id', '=', refreshTokenId)
    .execute();
}

const eventsOf = (userId: string) =>
  backend.db
    .selectFrom('auth.events')
    .select(['kind', 'details'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();

it('answers the predecessor with the successor again when that was never used, however late', async () => {
  const { session, tokens } = await refreshed(1);
  await letGracePass(session);
  const { status, body } = await refresh(session.refreshToken);
  expect(status).toBe(200);
  expect(body.refreshToken).toBe(tokens[1]);
  expect(body.refreshTokenId).toBe(session.refreshTokenId);
});

it('brings a tab that is some refreshes behind to the current token, within the grace', async () => {
  const { tokens } = await refreshed(3);
  expect((await refresh(tokens[0] ?? '')).body.refreshToken).toBe(tokens[3]);
  expect((await refresh(tokens[3] ?? '')).status).toBe(200);
});

it.each([0, 1, 2])(
  'ends the session when spent token %i of four comes back after the grace',
  async (position) => {
    const { session, tokens } = await refreshed(4);
    await letGracePass(session);
    const { body } = await refresh(tokens[position] ?? '');
    expect(body).toMatchObject({ status: 401, error: 'invalid-refresh-token' });
    expect((await refresh(tokens[4] ?? '')).status).toBe(401);
    expect(await eventsOf(session.user.id)).toContainEqual({
      kind: 'refresh-token-reused',
      details: { sessionId: session.refreshTokenId },
    });
  },
);

it('forgets the spent tokens of a session that went', async () => {
  const { session, tokens } = await refreshed(2);
  await backend.post('/v1/auth/signout', { refreshToken: tokens[0] });
  expect((await refresh(tokens[2] ?? '')).status).toBe(401);
  const left = await backend.db
    .selectFrom('auth.spent_refresh_tokens')
    .select('session_id')
    .where('session_id', '=', session.refreshTokenId)
    .execute();
  expect(left).toEqual([]);
});

it('gives many tabs that refresh at the same moment one and the same token', async () => {
  const { refreshToken } = await backend.signUp();
  const answers = await Promise.all(Array.from({ length: 12 }, () => refresh(refreshToken)));
  expect(new Set(answers.map(({ body }) => body.refreshToken)).size).toBe(1);
});

it('keeps the time and place of the last use', async () => {
  const session = await backend.signUp();
  await refresh(session.refreshToken, { 'user-agent': 'Firefox/140' });
  const row = await backend.db
    .selectFrom('auth.refresh_tokens')
    .select(['user_agent', sql<boolean>`last_used_at > created_at`.as('is_later')])
    .where('id', '=', session.refreshTokenId)
    .executeTakeFirstOrThrow();
  expect(row).toEqual({ user_agent: 'Firefox/140', is_later: true });
});

it('refuses a session whose time is over, and its spent tokens', async () => {
  const { session, tokens } = await refreshed(1);
  await backend.db
    .updateTable('auth.refresh_tokens')
    .set({ expires_at: sql`now()` })
    .where('id', '=', session.refreshTokenId)
    .execute();
  for (const token of tokens) expect((await refresh(token)).status).toBe(401);
});

it('refuses a disabled user, and lets them go on once enabled', async () => {
  const session = await backend.signUp();
  const setDisabled = (disabled: boolean) =>
    backend.db
      .updateTable('auth.users')
      .set({ disabled })
      .where('id', '=', session.user.id)
      .execute();
  await setDisabled(true);
  expect((await refresh(session.refreshToken)).body).toMatchObject({ error: 'disabled-user' });
  await setDisabled(false);
  expect((await refresh(session.refreshToken)).status).toBe(200);
});
