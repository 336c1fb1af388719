import type { Session } from '@longshore/contract';
import { type GitHost, startGitlabHost } from '@longshore/testkit/git-hosts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Backend, bearer, startBackend, stopWithoutErrors } from '../../test/backend.ts';
import { type FakeRegistry, startFakeRegistry } from '../../test/connect/fake-registry.ts';

/** Private hosts are forbidden, which is the default. No request may reach a host of this machine. */
let backend: Backend;
let ada: Session;
let gitlab: GitHost;
let registry: FakeRegistry;

beforeAll(async () => {
  [gitlab, registry] = [await startGitlabHost(), await startFakeRegistry('basic')];
  backend = await startBackend();
  ada = await backend.signUp();
});
afterAll(async () => {
  await gitlab.close();
  await registry.close();
  await stopWithoutErrors(backend);
});

const connect = (endpoint: string, body: unknown) =>
  backend.post(`/v1/connect/auth/${endpoint}`, body, bearer(ada));

const LOGIN = { username: 'ada', password: 'hunter2' };

it.each([
  '127.0.0.1:PORT',
  'localhost:PORT',
  '169.254.169.254',
  '10.0.0.1:5000',
  '0.0.0.0:PORT',
  '2130706433:PORT',
  '0x7f.1:PORT',
  '127.1:PORT',
])('does not request a registry at %s', async (template) => {
  const host = template.replace('PORT', new URL(registry.url).port);
  const { status, body } = await connect('registry', { ...LOGIN, host });
  expect([status, body.error]).toEqual([422, 'not-allowed']);
  expect(registry.requests).toEqual([]);
});

it.each([
  'https://127.0.0.1:PORT',
  'https://localhost:PORT',
  'https://[::1]:PORT',
  'https://[::ffff:127.0.0.1]:PORT',
  'https://169.254.169.254/latest',
  'https://2130706433:PORT',
])('does not request a code host at %s', async (template) => {
  const url = template.replace('PORT', new URL(gitlab.url).port);
  for (const provider of ['gitlab', 'github', 'gitea']) {
    const { status, body } = await connect('token', { provider, url, token: 'token' });
    expect([status, body.error]).toEqual([400, 'address-not-allowed']);
  }
  expect(gitlab.requests).toEqual([]);
});

it('rejects plain http', async () => {
  const body = { provider: 'gitlab', url: 'http://example.com', token: 'token' };
  expect(await connect('token', body)).toMatchObject({ status: 400 });
});
