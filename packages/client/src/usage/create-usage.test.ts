import { createFakeAuth, createSimulatedClock } from '@longshore/testkit';
import { expect, it } from 'vitest';
import type { Fetch } from '../ports.ts';
import { createUsage } from './create-usage.ts';

const usage = { used: 1, limit: null };
const body = {
  apps: usage,
  memoryBytes: usage,
  cpus: usage,
  builds: { ...usage, waiting: 0 },
  diskBytes: usage,
  perApp: { memoryBytes: 1, cpus: 1 },
};

function prepare(fetch: Fetch) {
  const clock = createSimulatedClock();
  return createUsage({ url: 'http://b/v1/usage', clock, fetch, auth: createFakeAuth() });
}

it('loads the usage of the signed-in user', async () => {
  const sent: unknown[] = [];
  const service = prepare(async (url, init) => {
    sent.push({ url, headers: init?.headers });
    return Response.json(body);
  });
  expect(await service.load()).toEqual({ ok: true, data: body });
  expect(sent).toEqual([
    { url: 'http://b/v1/usage', headers: { Authorization: 'Bearer token-1' } },
  ]);
});

it.each<[string, Response, object]>([
  ['an error', Response.json({ message: 'No' }, { status: 401 }), { status: 401 }],
  ['unexpected', Response.json({ apps: 1 }), { message: 'Unexpected response from the server' }],
])('fails when the response is %s', async (_, response, error) => {
  expect(await prepare(async () => response).load()).toMatchObject({ ok: false, error });
});
