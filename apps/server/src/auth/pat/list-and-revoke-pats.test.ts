import type { Session } from '@longshore/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Backend, bearer, startBackend, stopWithoutErrors } from '../../../test/backend.ts';
import { auditedKinds } from '../../../test/mail-links.ts';
import { removeExpired } from '../remove-expired.ts';

const PATH = '/v1/auth/personal-access-tokens';
const DAY_MS = 86_400_000;
const NOWHERE = '00000000-0000-4000-8000-000000000000';

type Made = { id: string; personalAccessToken: string };
type Listed = { id: string; lastUsedAt: string | null };

let backend: Backend;
beforeAll(async () => {
  backend = await startBackend();
});
afterAll(() => stopWithoutErrors(backend));

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
const make = async (session: Session, metadata?: unknown, expiresAt = inDays(7)) =>
  (await backend.post<Made>('/v1/auth/pat', { expiresAt, metadata }, bearer(session))).body;
const list = async (session: Session) =>
  (await backend.ask<{ personalAccessTokens: Listed[] }>(PATH, { headers: bearer(session) })).body
    .personalAccessTokens;
const revoke = (id: string, session: Session) =>
  backend.ask<unknown>(`${PATH}/${encodeURIComponent(id)}`, {
    method: 'DELETE',
    headers: bearer(session),
  });
const signIn = (personalAccessToken: string) =>
  backend.post<{ session: Session }>('/v1/auth/signin/pat', { personalAccessToken });

describe('GET /personal-access-tokens', () => {
  it('lists one’s own, the newest first, without their values', async () => {
    const session = await backend.signUp();
    await make(await backend.signUp());
    const expiresAt = inDays(7);
    const first = await make(session, { name: 'backup' }, expiresAt);
    const second = await make(session);
    await signIn(first.personalAccessToken);
    const listed = await list(session);
    expect(listed).toEqual([
      expect.objectContaining({ id: second.id, metadata: null, lastUsedAt: null }),
      {
        id: first.id,
        metadata: { name: 'backup' },
        createdAt: expect.stringMatching(/Z$/),
        lastUsedAt: expect.stringMatching(/Z$/),
        expiresAt,
      },
    ]);
    expect(JSON.stringify(listed)).not.toContain(first.personalAccessToken);
  });

  it('leaves those out whose time is over', async () => {
    const session = await backend.signUp();
    const { id } = await make(session);
    await backend.db
      .updateTable('auth.personal_access_tokens')
      .set({ expires_at: inDays(-1) })
      .where('id', '=', id)
      .execute();
    expect(await list(session)).toEqual([]);
  });
});

describe('DELETE /personal-access-tokens/{id}', () => {
  it('ends one of one’s own, with the sessions it opened and no others', async () => {
    const session = await backend.signUp();
    const [leaked, kept] = [await make(session), await make(session)];
    const thief = (await signIn(leaked.personalAccessToken)).body.session;
    const { body } = await signIn(kept.personalAccessToken);
    expect((await revoke(leaked.id, session)).body).toBe('OK');
    expect((await signIn(leaked.personalAccessToken)).body).toMatchObject({ error: 'invalid-pat' });
    const refresh = ({ refreshToken }: Session) => backend.post('/v1/auth/token', { refreshToken });
    expect((await refresh(thief)).status).toBe(401);
    expect((await refresh(body.session)).status).toBe(200);
    expect((await refresh(session)).status).toBe(200);
    expect(await list(session)).toMatchObject([{ id: kept.id }]);
    expect(await auditedKinds(backend, session.user.id)).toContain('access-token-revoked');
  });

  it.each(['not-an-id', NOWHERE, "'; drop table auth.users; --"])(
    'has nothing to do for %s',
    async (id) => {
      const session = await backend.signUp();
      expect((await revoke(id, session)).status).toBe(200);
      expect(await auditedKinds(backend, session.user.id)).toEqual(['signed-up']);
    },
  );

  it('leaves the token of somebody else alone', async () => {
    const [mine, theirs] = [await backend.signUp(), await backend.signUp()];
    const { id } = await make(theirs);
    await revoke(id, mine);
    expect(await list(theirs)).toHaveLength(1);
  });
});

it('ends the sessions of a token whose time is over', async () => {
  const session = await backend.signUp();
  const { id, personalAccessToken } = await make(session);
  const { refreshToken } = (await signIn(personalAccessToken)).body.session;
  await backend.db
    .updateTable('auth.personal_access_tokens')
    .set({ expires_at: inDays(-1) })
    .where('id', '=', id)
    .execute();
  await removeExpired(backend.db);
  expect((await backend.post('/v1/auth/token', { refreshToken })).status).toBe(401);
});

it.each([
  ['GET', PATH],
  ['DELETE', `${PATH}/${NOWHERE}`],
])('%s %s needs a bearer', async (method, path) => {
  expect(await backend.ask(path, { method })).toMatchObject({
    status: 401,
    body: { status: 401, error: 'unauthorized' },
  });
});
