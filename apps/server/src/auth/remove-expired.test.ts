import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Backend, startBackend } from '../../test/backend.ts';
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

it('deletes expired sessions and spent tokens, and nothing else', async () => {
  const activeSession = await backend.signUp();
  const expiredSession = await backend.signUp();
  await backend.db
    .updateTable('auth.refresh_tokens')
    .set({ expires_at: sql`now() - interval '1 second'` })
    .where('id', '=', expiredSession.refreshTokenId)
    .execute();
  const { refreshToken } = activeSession;
  await backend.post('/v1/auth/token', { refreshToken });
  await removeExpired(backend.db);
  expect(await sessions()).toEqual([activeSession.refreshTokenId]);
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

it('deletes expired exchange codes and provider tokens', async () => {
  const { user } = await backend.signUp();
  const expiries = {
    expired: sql<Date>`now() - interval '1 second'`,
    valid: sql<Date>`now() + interval '1 minute'`,
  };
  for (const [name, expires_at] of Object.entries(expiries)) {
    await backend.db
      .insertInto('auth.exchange_codes')
      .values({ code_hash: Buffer.from(name), user_id: user.id, code_challenge: name, expires_at })
      .execute();
    await backend.db
      .insertInto('auth.provider_sessions')
      .values({ user_id: user.id, provider: name, sealed_tokens: '', expires_at })
      .execute();
  }
  await removeExpired(backend.db);
  const codes = await backend.db.selectFrom('auth.exchange_codes').selectAll().execute();
  const tokens = await backend.db.selectFrom('auth.provider_sessions').selectAll().execute();
  expect(codes).toMatchObject([{ code_challenge: 'valid' }]);
  expect(tokens).toMatchObject([{ provider: 'valid' }]);
});
