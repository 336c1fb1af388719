import { createFakeAuth, createSimulatedClock } from '@longshore/testkit';
import { expect, it } from 'vitest';
import type { Fetch } from '../ports.ts';
import { createOperator } from './create-operator.ts';

function prepare(fetch: Fetch) {
  const clock = createSimulatedClock();
  return createOperator({ url: 'http://b/v1/operator', clock, fetch, auth: createFakeAuth() });
}

it('sends requests as the signed-in user', async () => {
  const sent: unknown[] = [];
  const operator = prepare(async (url, init) => {
    sent.push([init?.method ?? 'GET', url, init?.body]);
    return Response.json({ users: [], total: 0, pageSize: 20, invitations: [] });
  });
  expect(await operator.users({ search: 'a b&c', page: 2 })).toMatchObject({ ok: true });
  expect(await operator.invitations()).toEqual({ ok: true, data: [] });
  await operator.disableUser('a/b');
  await operator.changeSignUp({ mode: 'closed', domains: [] });
  expect(sent).toEqual([
    ['GET', 'http://b/v1/operator/users?search=a+b%26c&page=2', undefined],
    ['GET', 'http://b/v1/operator/invitations', undefined],
    ['POST', 'http://b/v1/operator/users/a%2Fb/disable', undefined],
    ['PUT', 'http://b/v1/operator/sign-up', '{"mode":"closed","domains":[]}'],
  ]);
});

it('returns the code and the message of an error', async () => {
  const body = { status: 409, error: 'self', message: 'You cannot disable your own account.' };
  const operator = prepare(async () => Response.json(body, { status: 409 }));
  expect(await operator.disableUser('1')).toEqual({ ok: false, error: body });
});

it('refuses unexpected responses', async () => {
  const operator = prepare(async () => Response.json({ users: 'all' }));
  const message = 'Unexpected response from the server';
  expect(await operator.health()).toMatchObject({ ok: false, error: { message } });
});
