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

/** A session and its tokens after some refreshes, oldest first. */
async function sessionAfterRefreshes(times: number) {
  const session = await backend.signUp();
  const tokens = [session.refreshToken];
  for (let count = 0; count < times; count += 1) {
    tokens.push((await refresh(tokens[count] ?? '')).body.refreshToken);
  }
  return { session, tokens };
}

async function endGracePeriod({ refreshTokenId }: Session) {
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

it('returns the same successor again while it is unused, even after the grace period', async () => {
  const { session, tokens } = await sessionAfterRefreshes(1);
  await endGracePeriod(session);
  const { status, body } = await refresh(session.refreshToken);
  expect(status).toBe(200);
  expect(body.refreshToken).toBe(tokens[1]);
  expect(body.refreshTokenId).toBe(session.refreshTokenId);
});

it('returns the current token to a tab that is several refreshes behind, within the grace period', async () => {
  const { tokens } = await sessionAfterRefreshes(3);
  expect((await refresh(tokens[0] ?? '')).body.refreshToken).toBe(tokens[3]);
  expect((await refresh(tokens[3] ?? '')).status).toBe(200);
});

it.each([0, 1, 2])(
  'ends the session when spent token %i of four is used after the grace period',
  async (position) => {
    const { session, tokens } = await sessionAfterRefreshes(4);
    await endGracePeriod(session);
    const { body } = await refresh(tokens[position] ?? '');
    expect(body).toMatchObject({ status: 401, error: 'invalid-refresh-token' });
    expect((await refresh(tokens[4] ?? '')).status).toBe(401);
    expect(await eventsOf(session.user.id)).toContainEqual({
      kind: 'refresh-token-reused',
      details: { sessionId: session.refreshTokenId },
    });
  },
);

it('deletes the spent tokens of an ended session', async () => {
  const { session, tokens } = await sessionAfterRefreshes(2);
  await backend.post('/v1/auth/signout', { refreshToken: tokens[0] });
  expect((await refresh(tokens[2] ?? '')).status).toBe(401);
  const left = await backend.db
    .selectFrom('auth.spent_refresh_tokens')
    .select('session_id')
    .where('session_id', '=', session.refreshTokenId)
    .execute();
  expect(left).toEqual([]);
});

it('returns the same token to many simultaneous refreshes', async () => {
  const { refreshToken } = await backend.signUp();
  const responses = await Promise.all(Array.from({ length: 12 }, () => refresh(refreshToken)));
  expect(new Set(responses.map(({ body }) => body.refreshToken)).size).toBe(1);
});

it('stores the time, address and user agent of the last use', async () => {
  const session = await backend.signUp();
  await refresh(session.refreshToken, { 'user-agent': 'Firefox/140' });
  const row = await backend.db
    .selectFrom('auth.refresh_tokens')
    .select(['user_agent', sql<boolean>`last_used_at > created_at`.as('is_later')])
    .where('id', '=', session.refreshTokenId)
    .executeTakeFirstOrThrow();
  expect(row).toEqual({ user_agent: 'Firefox/140', is_later: true });
});

it('refuses an expired session and its spent tokens', async () => {
  const { session, tokens } = await sessionAfterRefreshes(1);
  await backend.db
    .updateTable('auth.refresh_tokens')
    .set({ expires_at: sql`now()` })
    .where('id', '=', session.refreshTokenId)
    .execute();
  for (const token of tokens) expect((await refresh(token)).status).toBe(401);
});

it('refuses a disabled user, and accepts the token once enabled again', async () => {
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
