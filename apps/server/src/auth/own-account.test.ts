import type { Session } from '@longshore/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Backend, bearer, startBackend } from '../../test/backend.ts';

let backend: Backend;
beforeAll(async () => {
  backend = await startBackend();
});
afterAll(async () => {
  expect(backend.errors).toEqual([]);
  await backend.stop();
});

type ListedSession = { id: string; userAgent: string | null; isCurrent: boolean };
type ListedEvent = { id: string; at: string; kind: string; details: unknown };

const sessionsOf = async (session: Session) =>
  (
    await backend.request<{ sessions: ListedSession[] }>('/v1/auth/sessions', {
      headers: bearer(session),
    })
  ).body.sessions;

const eventsOf = async (session: Session) =>
  (
    await backend.request<{ events: ListedEvent[] }>('/v1/auth/events', {
      headers: bearer(session),
    })
  ).body.events;

const revoke = (id: string, headers: Record<string, string>) =>
  backend.request<unknown>(`/v1/auth/sessions/${id}`, { method: 'DELETE', headers });

async function signInFrom(userAgent: string, email: string): Promise<Session> {
  const { body } = await backend.post<{ session: Session }>(
    '/v1/auth/signin/email-password',
    { email, password: 'correct horse' },
    { 'user-agent': userAgent },
  );
  return body.session;
}

describe('GET /sessions', () => {
  it('lists the sessions of the caller, last used first, and marks the current one', async () => {
    const first = await backend.signUp('sessions@example.com');
    const second = await signInFrom('Firefox/140', 'sessions@example.com');
    await backend.signUp();
    expect(await sessionsOf(first)).toEqual([
      {
        id: second.refreshTokenId,
        createdAt: expect.stringMatching(/Z$/),
        lastUsedAt: expect.stringMatching(/Z$/),
        userAgent: 'Firefox/140',
        address: null,
        isCurrent: false,
      },
      expect.objectContaining({ id: first.refreshTokenId, isCurrent: true }),
    ]);
  });

  it('marks the current session after a refresh', async () => {
    const { refreshToken, refreshTokenId } = await backend.signUp();
    const { body } = await backend.post<Session>('/v1/auth/token', { refreshToken });
    expect(await sessionsOf(body)).toMatchObject([{ id: refreshTokenId, isCurrent: true }]);
  });
});

describe('DELETE /sessions/{id}', () => {
  it('ends a session of the caller and records it', async () => {
    const caller = await backend.signUp('ends@example.com');
    const other = await signInFrom('Firefox/140', 'ends@example.com');
    expect((await revoke(other.refreshTokenId, bearer(caller))).body).toBe('OK');
    const { refreshToken } = other;
    expect((await backend.post('/v1/auth/token', { refreshToken })).status).toBe(401);
    expect(await sessionsOf(caller)).toHaveLength(1);
    expect((await eventsOf(caller))[0]).toMatchObject({
      kind: 'session-revoked',
      details: { sessionId: other.refreshTokenId },
    });
  });

  it.each(['not-an-id', '00000000-0000-4000-8000-000000000000', "'; drop table auth.users; --"])(
    'ignores %s',
    async (id) => {
      const session = await backend.signUp();
      expect((await revoke(encodeURIComponent(id), bearer(session))).status).toBe(200);
      expect((await eventsOf(session)).map(({ kind }) => kind)).toEqual(['signed-up']);
    },
  );

  it('does not end the session of another user', async () => {
    const [caller, otherUser] = [await backend.signUp(), await backend.signUp()];
    await revoke(otherUser.refreshTokenId, bearer(caller));
    expect(await sessionsOf(otherUser)).toHaveLength(1);
  });
});

describe('GET /events', () => {
  it('lists the events of the caller’s account, newest first', async () => {
    const session = await backend.signUp('events@example.com');
    await signInFrom('Firefox/140', 'events@example.com');
    await backend.signUp();
    expect(await eventsOf(session)).toEqual([
      {
        id: expect.any(String),
        at: expect.stringMatching(/Z$/),
        kind: 'signed-in',
        address: null,
        userAgent: 'Firefox/140',
        details: {},
      },
      expect.objectContaining({ kind: 'signed-up' }),
    ]);
  });

  it('returns at most a hundred events', async () => {
    const session = await backend.signUp();
    const events = Array.from({ length: 120 }, () => ({
      kind: 'signed-in',
      user_id: session.user.id,
    }));
    await backend.db.insertInto('auth.events').values(events).execute();
    expect(await eventsOf(session)).toHaveLength(100);
  });
});

it.each([
  ['GET', '/v1/auth/sessions'],
  ['GET', '/v1/auth/events'],
  ['DELETE', '/v1/auth/sessions/00000000-0000-4000-8000-000000000000'],
])('%s %s requires a bearer token', async (method, path) => {
  const { status, body } = await backend.request(path, { method });
  expect(status).toBe(401);
  expect(body).toMatchObject({ status: 401, error: 'unauthorized' });
});
