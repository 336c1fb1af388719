import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Backend, bearer, startBackend, stopWithoutErrors } from '../test-support/backend.ts';
import { type RegistryHost, startRegistryHost } from './testing/registry-host.ts';

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
