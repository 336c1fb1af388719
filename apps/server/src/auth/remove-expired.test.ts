import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Backend, startBackend } from '../test-support/backend.ts';
import { removeExpired } from './remove-expired.ts';

let backend: Backend;
beforeAll(async () => {
  backend = await startBackend();
});
afterAll(async () => {
  expect(backend.errors).toEqual([]);
  await backend.stop();
});

const sessions = async () =>
  (await backend.db.selectFrom('auth.refresh_tokens').select('id').execute()).map(({ id }) => id);

it('forgets sessions and spent tokens whose time is over, and nothing else', async () => {
  const kept = await backend.signUp();
  const over = await backend.signUp();
  await backend.db
    .updateTable('auth.refresh_tokens')
    .set({ expires_at: sql`now() - interval '1 second'` })
    .where('id', '=', over.refreshTokenId)
    .execute();
  const { refreshToken } = kept;
  await backend.post('/v1/auth/token', { refreshToken });
  await removeExpired(backend.db);
  expect(await sessions()).toEqual([kept.refreshTokenId]);
  expect((await backend.post('/v1/auth/token', { refreshToken })).status).toBe(200);

  await backend.db
    .updateTable('auth.spent_refresh_tokens')
    .set({ spent_at: sql`now() - interval '31 days'` })
    .execute();
  await removeExpired(backend.db);
  expect(await backend.db.selectFrom('auth.spent_refresh_tokens').selectAll().execute()).toEqual(
    [],
  );
});
