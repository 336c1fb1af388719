import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Backend, bearer, startBackend } from '../../../test/backend.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const DAY_MS = 86_400_000;

let backend: Backend;
beforeAll(async () => {
  backend = await startBackend();
});
afterAll(async () => {
  expect(backend.errors).toEqual([]);
  await backend.stop();
});

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

describe('POST /pat', () => {
  it.each([
    ['an expiry', { expiresAt: inDays(1) }, null],
    ['an expiry in another time zone', { expiresAt: '2999-01-01T00:00:00+02:00' }, null],
    ['metadata', { expiresAt: inDays(400), metadata: { name: 'ci' } }, { name: 'ci' }],
    ['null as metadata', { expiresAt: inDays(1), metadata: null }, null],
  ])('creates a token with %s, and stores only its hash', async (_, request, metadata) => {
    const session = await backend.signUp();
    const { status, body } = await backend.post('/v1/auth/pat', request, bearer(session));
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.stringMatching(UUID),
      personalAccessToken: expect.stringMatching(UUID),
    });
    const row = await backend.db
      .selectFrom('auth.personal_access_tokens')
      .selectAll()
      .where('user_id', '=', session.user.id)
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({ id: body.id, metadata, expires_at: new Date(request.expiresAt) });
    expect(JSON.stringify(row)).not.toContain(body.personalAccessToken);
  });

  it.each([
    ['no expiry', {}],
    ['null as expiry', { expiresAt: null }],
    ['an expiry in the past', { expiresAt: inDays(-1) }],
    ['a date without time', { expiresAt: '2999-01-01' }],
    ['a number', { expiresAt: 32_472_144_000_000 }],
    ['an invalid date', { expiresAt: '2999-02-30T00:00:00Z' }],
    ['a year that is too large', { expiresAt: '+275760-09-13T00:00:00.000Z' }],
    ['text as metadata', { expiresAt: inDays(1), metadata: 'ci' }],
    [
      'an unpaired surrogate in metadata',
      `{"expiresAt":"${inDays(1)}","metadata":{"a":"\\ud800"}}`,
    ],
  ])('refuses %s', async (_, request) => {
    const session = await backend.signUp();
    const { body } = await backend.post('/v1/auth/pat', request, bearer(session));
    expect(body).toMatchObject({ status: 400, error: 'invalid-request' });
  });

  it('refuses an unauthenticated caller', async () => {
    const { body } = await backend.post('/v1/auth/pat', { expiresAt: inDays(1) });
    expect(body).toMatchObject({ status: 401, error: 'unauthorized' });
  });
});
