import { createFakeAuth, createSimulatedClock } from '@longshore/testkit';
import { expect, it } from 'vitest';
import type { Fetch } from '../ports.ts';
import { createDomains } from './create-domains.ts';

const app = { projectId: 'p', appId: 'a' };
const body = { token: 't', generatedHost: 'shop.localhost', isAddressEnough: true, domains: [] };

function prepare(fetch: Fetch) {
  const clock = createSimulatedClock();
  return createDomains({ url: 'http://b/v1/domains', clock, fetch, auth: createFakeAuth() });
}

it('lists and checks domains of one app as the signed-in user', async () => {
  const sent: unknown[] = [];
  const domains = prepare(async (url, init) => {
    sent.push({ url, body: init?.body, headers: init?.headers });
    return Response.json(body);
  });
  expect(await domains.list(app)).toEqual({ ok: true, data: body });
  const checked = { ...app, domain: 'shop.example.com' };
  expect(await domains.check(checked)).toEqual({ ok: true, data: body });
  const headers = { 'content-type': 'application/json', Authorization: 'Bearer token-1' };
  expect(sent).toEqual([
    { url: 'http://b/v1/domains', body: JSON.stringify(app), headers },
    { url: 'http://b/v1/domains/check', body: JSON.stringify(checked), headers },
  ]);
});

it('lists the hosts of a project that have a certificate', async () => {
  const hosts = ['shop.example.com'];
  const domains = prepare(async (url, init) =>
    url === 'http://b/v1/domains/secure-hosts' && init?.body === '{"projectId":"p"}'
      ? Response.json({ hosts })
      : Response.json({}),
  );
  expect(await domains.secureHosts('p')).toEqual({ ok: true, data: hosts });
  expect(await domains.secureHosts('q')).toMatchObject({ ok: false });
});

it.each<[string, Response, object]>([
  ['an error', Response.json({ message: 'App not found' }, { status: 404 }), { status: 404 }],
  [
    'unexpected',
    Response.json({ state: 'odd' }),
    { message: 'Unexpected response from the server' },
  ],
])('fails when the response is %s', async (_, response, error) => {
  expect(await prepare(async () => response).list(app)).toMatchObject({ ok: false, error });
});
