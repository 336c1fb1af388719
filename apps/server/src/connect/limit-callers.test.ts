import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Backend, bearer, startBackend, stopWithoutErrors } from '../../test/backend.ts';
import { type RegistryHost, startRegistryHost } from '../../test/connect/registry-host.ts';
import { Problem } from '../http/problem.ts';
import type { ConnectSettings } from './deps.ts';
import { limitCallers } from './limit-callers.ts';

let backend: Backend;
let hub: RegistryHost;
beforeAll(async () => {
  hub = await startRegistryHost('basic');
  hub.accounts.set('ada', 'hunter2');
  backend = await startBackend({
    connect: { rateLimits: true, allowLocalSources: true, dockerHubUrl: hub.url },
  });
});
afterAll(async () => {
  await hub.close();
  await stopWithoutErrors(backend);
});

it('refuses who tries passwords too often, whichever way, and nobody else', async () => {
  const [ada, eve] = [await backend.signUp(), await backend.signUp()];
  const guess = (path: string, session = eve) =>
    backend.post(`/v1/connect/auth/${path}`, { username: 'ada', password: 'x' }, bearer(session));
  for (let count = 0; count < 20; count += 1) expect((await guess('dockerhub')).status).toBe(401);
  const asked = hub.requests.length;
  const refused = await guess('dockerhub');
  expect(refused).toMatchObject({ status: 429, body: { error: 'too-many-requests' } });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  for (const path of ['registry', 'token']) expect((await guess(path)).status).toBe(429);
  expect(hub.requests).toHaveLength(asked);
  expect((await guess('dockerhub', ada)).status).toBe(401);
  backend.clock.ahead = 60_000;
  expect((await guess('dockerhub')).status).toBe(401);
});

function limits() {
  const settings = { rateLimits: true } as ConnectSettings;
  const session = async () => ({ userId: 'eve' });
  const service = limitCallers({ session, settings, clock: { now: () => 0 }, maxBuckets: 10 });
  service.onError((error, context) =>
    context.body(null, error instanceof Problem ? error.status : 500),
  );
  return async (path: string) => (await service.request(path, { method: 'POST' })).status;
}

it('counts all that can be no hook as one, whatever they are called', async () => {
  const ask = limits();
  const hook = `/hooks/${randomUUID()}`;
  for (let count = 0; count < 300; count += 1) expect(await ask(`/hooks/${count}`)).toBe(404);
  expect(await ask(`/hooks/${'x'.repeat(8_000)}`)).toBe(429);
  expect(await ask(hook)).toBe(404);
});

it('counts a hook once, in capitals too', async () => {
  const ask = limits();
  const hook = '/hooks/aaaaaaaa-aaaa-4aaa-aaaa-aaaaaaaaaaaa';
  for (let count = 0; count < 300; count += 1) await ask(hook);
  expect(await ask(hook.replace('aaaaaaaa', 'AAAAAAAA'))).toBe(429);
});

it('forgets no guess over the many hooks that somebody asks for', async () => {
  const ask = limits();
  for (let count = 0; count < 20; count += 1) await ask('/auth/token');
  expect(await ask('/auth/token')).toBe(429);
  for (let count = 0; count < 20; count += 1) await ask(`/hooks/${randomUUID()}`);
  expect(await ask('/auth/token')).toBe(429);
});
