import { createFakeAuth, createSimulatedClock } from '@longshore/testkit';
import { expect, it } from 'vitest';
import type { Fetch } from '../ports.ts';
import { createDomains } from './create-domains.ts';

const app = { projectId: 'p', appId: 'a' };

function prepare(fetch: Fetch) {
  const clock = createSimulatedClock();
  return createDomains({ url: 'http://b/v1/domains', clock, fetch, auth: createFakeAuth() });
}

it('checks one app as the signed-in user', async () => {
  const sent: unknown[] = [];
  const domains = prepare(async (url, init) => {
    sent.push({ url, body: init?.body, headers: init?.headers });
    return Response.json({ state: 'missing', addresses: [] });
  });
  expect(await domains.check(app)).toEqual({
    ok: true,
    data: { state: 'missing', addresses: [] },
  });
  expect(sent).toEqual([
    {
      url: 'http://b/v1/domains',
      body: JSON.stringify(app),
      headers: { 'content-type': 'application/json', Authorization: 'Bearer token-1' },
    },
  ]);
});

it.each<[string, Response, object]>([
  ['an error', Response.json({ message: 'App not found' }, { status: 404 }), { status: 404 }],
  [
    'unexpected',
    Response.json({ state: 'odd' }),
    { message: 'Unexpected response from the server' },
  ],
])('fails when the response is %s', async (_, response, error) => {
  expect(await prepare(async () => response).check(app)).toMatchObject({ ok: false, error });
});
