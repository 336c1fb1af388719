import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Backend, startBackend } from '../../test/backend.ts';
import { isSignedIn } from './is-signed-in.ts';

let backend: Backend;
beforeAll(async () => {
  backend = await startBackend();
});
afterAll(() => backend.stop());

async function openSession() {
  const { user, refreshTokenId } = await backend.signUp();
  return { userId: user.id, sessionId: refreshTokenId as string };
}

it('is true while the session exists', async () => {
  expect(await isSignedIn(await openSession(), backend.db)).toBe(true);
});

it('depends only on the user for a token without a session id', async () => {
  const { userId } = await openSession();
  const session = { userId, sessionId: undefined };
  expect(await isSignedIn(session, backend.db)).toBe(true);
  await backend.pool.query('update auth.users set disabled = true where id = $1', [userId]);
  expect(await isSignedIn(session, backend.db)).toBe(false);
});

it('is false for the session of another user', async () => {
  const [{ userId }, { sessionId }] = [await openSession(), await openSession()];
  expect(await isSignedIn({ userId, sessionId }, backend.db)).toBe(false);
});

it.each([
  ['revoked', 'delete from auth.refresh_tokens where id = $1'],
  ['expired', "update auth.refresh_tokens set expires_at = now() - interval '1 s' where id = $1"],
  [
    'its user is disabled',
    'update auth.users set disabled = true where id = (select user_id from auth.refresh_tokens where id = $1)',
  ],
])('is false once the session has ended: %s', async (_, statement) => {
  const session = await openSession();
  await backend.pool.query(statement, [session.sessionId]);
  expect(await isSignedIn(session, backend.db)).toBe(false);
});
