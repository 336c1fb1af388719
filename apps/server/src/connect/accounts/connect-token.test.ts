import type { Session } from '@longshore/contract';
import { type GitHost, startGitlabHost } from '@longshore/testkit/git-hosts';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Backend, bearer, startBackend, stopWithoutErrors } from '../../../test/backend.ts';
import { parseProviderUrl } from './connect-token.ts';

let backend: Backend;
let host: GitHost;
let ada: Session;

beforeAll(async () => {
  host = await startGitlabHost();
  const gitHosts = { gitlab: host.url, github: 'https://github.com' };
  backend = await startBackend({ connect: { allowLocalSources: true, gitHosts } });
});
beforeEach(async () => {
  ada = await backend.signUp();
  host.intercept = undefined;
});
afterAll(async () => {
  await host.close();
  await stopWithoutErrors(backend);
});

const connect = (body: unknown) => backend.post('/v1/connect/auth/token', body, bearer(ada));

async function storedIntegrations() {
  const { rows } = await backend.pool.query(
    'select id, values from public.resources where user_id = $1',
    [ada.user.id],
  );
  return rows;
}

it('connects an account with a token that the provider accepts', async () => {
  const token = host.state.issueToken('ada');
  const { status, body } = await connect({ provider: 'gitlab', token: ` ${token} ` });
  expect([status, body]).toEqual([
    200,
    { id: expect.any(String), provider: 'gitlab', account_name: 'ada' },
  ]);
  const values = {
    provider: 'gitlab',
    type: 'ssh',
    auth_type: 'credentials',
    host: new URL(host.url).host,
    account_name: 'ada',
    account_id: String(host.state.user('ada').id),
    state: 'connected',
  };
  expect(await storedIntegrations()).toEqual([{ id: body.id, values }]);
});

it('accepts the URL of a self-hosted provider', async () => {
  const token = host.state.issueToken('ada');
  const { body } = await connect({ provider: 'gitlab', url: `${host.url}/`, token });
  expect(body).toMatchObject({ account_name: 'ada' });
});

it('stores one integration per account', async () => {
  await connect({ provider: 'gitlab', token: host.state.issueToken('ada') });
  await connect({ provider: 'gitlab', token: host.state.issueToken('ada') });
  await connect({ provider: 'gitlab', token: host.state.issueToken('grace') });
  const names = (await storedIntegrations()).map(({ values }) => values.account_name);
  expect(names.sort()).toEqual(['ada', 'grace']);
});

it('removes invalid characters from the account name and truncates it', async () => {
  const username = `a\u0000d\ud800a\u202e${'x'.repeat(400)}`;
  host.intercept = () => ({ body: { id: 7, username, name: 'Ada', state: 'active' } });
  await connect({ provider: 'gitlab', token: 'token' });
  const [{ values }] = await storedIntegrations();
  expect(values.account_name).toMatch(/^ad\ufffdax{196}$/);
});

it('stores nothing if the provider rejects the token', async () => {
  expect(await connect({ provider: 'gitlab', token: 'forged' })).toMatchObject({
    status: 401,
    body: { message: 'Authentication failed. Please check your credentials.' },
  });
  expect(await storedIntegrations()).toEqual([]);
});

it.each([
  [500, 502, 'provider-unreachable'],
  [404, 404, 'not-found'],
  [403, 422, 'provider-refused'],
])('converts the status %s of the provider to %s', async (providerStatus, status, error) => {
  host.intercept = () => ({ status: providerStatus, body: { message: 'no' } });
  const response = await connect({ provider: 'gitlab', token: host.state.issueToken('ada') });
  expect(response).toMatchObject({ status, body: { error } });
  expect(await storedIntegrations()).toEqual([]);
});

it.each([
  [{ provider: 'gitlab' }],
  [{ provider: 'gitlab', token: '' }],
  [{ provider: 'gitlab', token: 'a\nb' }],
  [{ provider: 'gitlab', token: 'ünïcode' }],
  [{ provider: 'dockerhub', token: 'a' }],
  [{ provider: 'gitea', token: 'a' }],
  [{ provider: 'gitea', token: 'a', url: 'ftp://example.com' }],
  [{ provider: 'gitlab', token: 'a', url: 'https://u:p@example.com' }],
  [{ token: 'a' }],
  ['{'],
  [[]],
])('refuses %j', async (body) => {
  expect((await connect(body)).status).toBe(400);
});

it.each([
  ['https://git.example.com', 'https://git.example.com'],
  [' git.example.com/ ', 'https://git.example.com'],
  ['https://Example.com:8443/gitea//', 'https://example.com:8443/gitea'],
  ['git.example.com:3000', 'https://git.example.com:3000'],
  ['http://git.example.com', undefined],
  ['ftp://git.example.com', undefined],
  ['javascript:alert(1)', undefined],
  ['https://ada:pw@git.example.com', undefined],
  ['https://git.example.com?x=1', undefined],
  ['https://git.example.com#x', undefined],
  ['https://', undefined],
  ['', undefined],
])('parses the provider URL %j as %j', (input, url) => {
  expect(parseProviderUrl(input, { allowLocalSources: false })).toBe(url);
});

it('accepts an http provider URL if the operator allows local sources', () => {
  expect(parseProviderUrl('http://10.0.0.1:3000/', { allowLocalSources: true })).toBe(
    'http://10.0.0.1:3000',
  );
});
