import type { Session } from '@longshore/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditedKinds } from '../../../test/auth/mail-links.ts';
import { type Backend, bearer, startBackend, stopWithoutErrors } from '../../../test/backend.ts';
import { removeExpired } from '../remove-expired.ts';

const PATH = '/v1/auth/personal-access-tokens';
const DAY_MS = 86_400_000;
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

type CreatedToken = { id: string; personalAccessToken: string };
type ListedToken = { id: string; lastUsedAt: string | null };

let backend: Backend;
beforeAll(async () => {
  backend = await startBackend();
});
afterAll(() => stopWithoutErrors(backend));

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
const create = async (session: Session, metadata?: unknown, expiresAt = inDays(7)) =>
  (await backend.post<CreatedToken>('/v1/auth/pat', { expiresAt, metadata }, bearer(session))).body;
const list = async (session: Session) =>
  (
    await backend.request<{ personalAccessTokens: ListedToken[] }>(PATH, {
      headers: bearer(session),
    })
  ).body.personalAccessTokens;
const revoke = (id: string, session: Session) =>
  backend.request<unknown>(`${PATH}/${encodeURIComponent(id)}`, {
    method: 'DELETE',
    headers: bearer(session),
  });
const signIn = (personalAccessToken: string) =>
  backend.post<{ session: Session }>('/v1/auth/signin/pat', { personalAccessToken });

describe('GET /personal-access-tokens', () => {
  it('lists the tokens of the caller, newest first, without their values', async () => {
    const session = await backend.signUp();
    await create(await backend.signUp());
    const expiresAt = inDays(7);
    const first = await create(session, { name: 'backup' }, expiresAt);
    const second = await create(session);
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

  it('omits expired tokens', async () => {
    const session = await backend.signUp();
    const { id } = await create(session);
    await backend.db
      .updateTable('auth.personal_access_tokens')
      .set({ expires_at: inDays(-1) })
      .where('id', '=', id)
      .execute();
    expect(await list(session)).toEqual([]);
  });
});

describe('DELETE /personal-access-tokens/{id}', () => {
  it('revokes a token of the caller, with the sessions it opened and no others', async () => {
    const session = await backend.signUp();
    const [leakedToken, keptToken] = [await create(session), await create(session)];
    const attackerSession = (await signIn(leakedToken.personalAccessToken)).body.session;
    const { body } = await signIn(keptToken.personalAccessToken);
    expect((await revoke(leakedToken.id, session)).body).toBe('OK');
    expect((await signIn(leakedToken.personalAccessToken)).body).toMatchObject({
      error: 'invalid-pat',
    });
    const refresh = ({ refreshToken }: Session) => backend.post('/v1/auth/token', { refreshToken });
    expect((await refresh(attackerSession)).status).toBe(401);
    expect((await refresh(body.session)).status).toBe(200);
    expect((await refresh(session)).status).toBe(200);
    expect(await list(session)).toMatchObject([{ id: keptToken.id }]);
    expect(await auditedKinds(backend, session.user.id)).toContain('access-token-revoked');
  });

  it.each(['not-an-id', UNKNOWN_ID, "'; drop table auth.users; --"])('ignores %s', async (id) => {
    const session = await backend.signUp();
    expect((await revoke(id, session)).status).toBe(200);
    expect(await auditedKinds(backend, session.user.id)).toEqual(['signed-up']);
  });

  it('does not revoke the token of another user', async () => {
    const [caller, otherUser] = [await backend.signUp(), await backend.signUp()];
    const { id } = await create(otherUser);
    await revoke(id, caller);
    expect(await list(otherUser)).toHaveLength(1);
  });
});

it('ends the sessions of an expired token', async () => {
  const session = await backend.signUp();
  const { id, personalAccessToken } = await create(session);
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
  ['DELETE', `${PATH}/${UNKNOWN_ID}`],
])('%s %s requires a bearer token', async (method, path) => {
  expect(await backend.request(path, { method })).toMatchObject({
    status: 401,
    body: { status: 401, error: 'unauthorized' },
  });
});
