import type { IsolationStatus } from '@longshore/contract';
import { createFakeAuth, createSimulatedClock } from '@longshore/testkit';
import { expect, it } from 'vitest';
import type { Fetch } from '../ports.ts';
import { createIsolation } from './create-isolation.ts';

const STATUS: IsolationStatus = {
  missing: [],
  whoMayDeploy: 'everybody',
  mayDeploy: true,
  isOperator: false,
  installCommand: null,
};

function prepare(fetch: Fetch) {
  const clock = createSimulatedClock();
  return createIsolation({ url: 'http://b/v1/isolation', clock, fetch, auth: createFakeAuth() });
}

it('asks as the signed-in user', async () => {
  const sent: unknown[] = [];
  const isolation = prepare(async (url, init) => {
    sent.push({ url, headers: init?.headers });
    return Response.json(STATUS);
  });
  expect(await isolation.status()).toEqual({ ok: true, data: STATUS });
  expect(sent).toEqual([
    { url: 'http://b/v1/isolation', headers: { Authorization: 'Bearer token-1' } },
  ]);
});

it.each<[string, Response, object]>([
  ['an error', Response.json({ message: 'Not found' }, { status: 404 }), { status: 404 }],
  ['unexpected', Response.json([]), { message: 'Unexpected response from the server' }],
])('fails when the response is %s', async (_, response, error) => {
  expect(await prepare(async () => response).status()).toMatchObject({ ok: false, error });
});
