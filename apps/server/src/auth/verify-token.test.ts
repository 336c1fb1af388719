import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Backend, bearer, startBackend } from '../../test/backend.ts';

let backend: Backend;
beforeAll(async () => {
  backend = await startBackend();
});
afterAll(async () => {
  expect(backend.errors).toEqual([]);
  await backend.stop();
});

it('accepts a valid token in the body, regardless of the header', async () => {
  const { accessToken } = await backend.signUp();
  const { status, body } = await backend.post<unknown>(
    '/v1/auth/token/verify',
    { token: accessToken },
    { authorization: 'Bearer nonsense' },
  );
  expect([status, body]).toEqual([200, 'OK']);
});

it.each(['', '{}', '{"token":null}', '{"token":""}'])(
  'accepts a valid bearer token when the body is %o',
  async (text) => {
    const session = await backend.signUp();
    const { status, body } = await backend.post<unknown>(
      '/v1/auth/token/verify',
      text,
      bearer(session),
    );
    expect([status, body]).toEqual([200, 'OK']);
  },
);

it.each([
  ['no token', {}],
  ['a number', { token: 1 }],
  ['a forged token', { token: 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.' }],
  ['two tokens', { token: 'a b' }],
])('refuses %s with 400, not 401', async (_, body) => {
  const { status, body: problem } = await backend.post('/v1/auth/token/verify', body);
  expect(status).toBe(400);
  expect(problem).toMatchObject({ status: 400, error: 'invalid-request' });
});

it('refuses an expired token', async () => {
  const session = await backend.signUp();
  backend.clock.ahead = 901_000;
  const { status } = await backend.post('/v1/auth/token/verify', {}, bearer(session));
  backend.clock.ahead = 0;
  expect(status).toBe(400);
});

it('responds to GET and HEAD at the health path', async () => {
  expect((await backend.request<unknown>('/v1/auth/healthz')).body).toBe('OK');
  const head = await backend.request<unknown>('/auth/v1/healthz', { method: 'HEAD' });
  expect([head.status, head.body]).toEqual([200, undefined]);
});
