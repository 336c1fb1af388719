import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Backend, bearer, startBackend, stopWithoutErrors } from '../../test/backend.ts';
import { type FakeRegistry, startFakeRegistry } from '../../test/connect/fake-registry.ts';
import { Problem } from '../http/problem.ts';
import { createBuckets } from '../rate-limits/buckets.ts';
import type { ConnectSettings } from './deps.ts';
import { createRateLimits } from './rate-limits.ts';

let backend: Backend;
let hub: FakeRegistry;
beforeAll(async () => {
  hub = await startFakeRegistry('basic');
  hub.accounts.set('ada', 'hunter2');
  backend = await startBackend({
    connect: { rateLimits: true, allowLocalSources: true, dockerHubUrl: hub.url },
  });
});
afterAll(async () => {
  await hub.close();
  await stopWithoutErrors(backend);
});

it('limits password attempts per user, across all endpoints', async () => {
  const [ada, eve] = [await backend.signUp(), await backend.signUp()];
  const guess = (path: string, session = eve) =>
    backend.post(`/v1/connect/auth/${path}`, { username: 'ada', password: 'x' }, bearer(session));
  for (let count = 0; count < 20; count += 1) expect((await guess('dockerhub')).status).toBe(401);
  const requestCount = hub.requests.length;
  const refused = await guess('dockerhub');
  expect(refused).toMatchObject({ status: 429, body: { error: 'too-many-requests' } });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  for (const path of ['registry', 'token']) expect((await guess(path)).status).toBe(429);
  expect(hub.requests).toHaveLength(requestCount);
  expect((await guess('dockerhub', ada)).status).toBe(401);
  backend.clock.ahead = 60_000;
  expect((await guess('dockerhub')).status).toBe(401);
});

it('never counts requests with wrong tokens', async () => {
  const ada = await backend.signUp();
  const connect = (headers: Record<string, string>) =>
    backend.post('/v1/connect/auth/dockerhub', { username: 'ada', password: 'x' }, headers);
  const requestCount = hub.requests.length;
  for (let count = 0; count < 310; count += 1)
    expect((await connect({ authorization: 'Bearer wrong' })).status).toBe(401);
  expect(hub.requests).toHaveLength(requestCount);
  expect((await connect(bearer(ada))).body).not.toMatchObject({ error: 'too-many-requests' });
  expect(hub.requests.length).toBeGreaterThan(requestCount);
});

function createLimitedRequest() {
  const settings = { rateLimits: true } as ConnectSettings;
  const session = async () => ({ userId: 'eve' });
  const service = createRateLimits({
    session,
    settings,
    openBuckets: () => createBuckets({ clock: { now: () => 0 }, maxBuckets: 10 }),
  });
  service.onError((error, context) =>
    context.body(null, error instanceof Problem ? error.status : 500),
  );
  return async (path: string) => (await service.request(path, { method: 'POST' })).status;
}

it('counts all invalid hook ids together', async () => {
  const send = createLimitedRequest();
  const hook = `/hooks/${randomUUID()}`;
  for (let count = 0; count < 300; count += 1) expect(await send(`/hooks/${count}`)).toBe(404);
  expect(await send(`/hooks/${'x'.repeat(8_000)}`)).toBe(429);
  expect(await send(hook)).toBe(404);
});

it('counts hook ids case-insensitively', async () => {
  const send = createLimitedRequest();
  const hook = '/hooks/aaaaaaaa-aaaa-4aaa-aaaa-aaaaaaaaaaaa';
  for (let count = 0; count < 300; count += 1) await send(hook);
  expect(await send(hook.replace('aaaaaaaa', 'AAAAAAAA'))).toBe(429);
});

it('counts the calls of each deploy hook, and all malformed URLs together', async () => {
  const send = createLimitedRequest();
  const ID = 'aaaaaaaa-aaaa-4aaa-aaaa-aaaaaaaaaaaa';
  const urlOf = (key: string, id = ID) => `/deploy-hooks/${id}?key=${key.repeat(43)}`;
  for (let count = 0; count < 10; count += 1) {
    expect(await send(urlOf('a'))).toBe(404);
    expect(await send(`/deploy-hooks/${count}?key=${count}`)).toBe(404);
  }
  for (const id of [ID, ID.toUpperCase()]) expect(await send(urlOf('a', id))).toBe(429);
  expect(await send(`/deploy-hooks/${'x'.repeat(8_000)}`)).toBe(429);
  expect(await send(urlOf('b'))).toBe(404);
  expect(await send(urlOf('a', randomUUID()))).toBe(404);
});

it('does not reset the attempt limit after requests for many hooks', async () => {
  const send = createLimitedRequest();
  for (let count = 0; count < 20; count += 1) await send('/auth/token');
  expect(await send('/auth/token')).toBe(429);
  for (let count = 0; count < 20; count += 1) await send(`/hooks/${randomUUID()}`);
  expect(await send('/auth/token')).toBe(429);
});
