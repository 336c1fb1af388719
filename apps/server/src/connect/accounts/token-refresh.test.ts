import type { Session } from '@longshore/contract';
import { type GitHost, startGithubHost, startGitlabHost } from '@longshore/testkit/git-hosts';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Backend, startBackend, stopWithoutErrors } from '../../../test/backend.ts';
import { localFetch } from '../../../test/connect/local-fetch.ts';
import {
  clientAt,
  connectByOauth,
  integrationsOf,
} from '../../../test/connect/oauth-connection.ts';
import { createKeyedMutex } from '../../concurrency/keyed-semaphore.ts';
import { createSeal } from '../../secrets/seal.ts';
import { createOauthProviders, type OauthClients } from '../oauth/oauth-providers.ts';
import { refreshTokens } from '../oauth/request-tokens.ts';
import { createGitProviders } from '../providers/create-git-providers.ts';
import { createSealedSecrets } from '../sealed-secrets.ts';
import { createAccounts } from './accounts.ts';
import { createIntegrations } from './integrations.ts';
import { createTokenRefresh } from './token-refresh.ts';

const LIFETIME_MS = 7_200_000;

let gitlab: GitHost;
let github: GitHost;
let clients: OauthClients;
let backend: Backend;
let ada: Session;
const { signal } = new AbortController();

beforeAll(async () => {
  [gitlab, github] = [await startGitlabHost(), await startGithubHost()];
  clients = { ...clientAt(gitlab, 'gitlab'), ...clientAt(github, 'github') };
  backend = await startBackend({ connect: { allowLocalSources: true, oauthClients: clients } });
});
beforeEach(async () => {
  backend.clock.ahead = 0;
  ada = await backend.signUp();
  for (const host of [gitlab, github]) {
    host.intercept = undefined;
    host.requests.length = 0;
  }
});
afterAll(async () => {
  await gitlab.close();
  await github.close();
  await stopWithoutErrors(backend);
});

async function connectIntegration(provider: 'gitlab' | 'github' = 'gitlab'): Promise<string> {
  await connectByOauth(backend, ada, provider);
  const [{ id }] = await integrationsOf(backend, ada);
  for (const host of [gitlab, github]) host.requests.length = 0;
  return id;
}

/** The token with which git would clone. */
async function gitToken(integrationId: string, host = gitlab): Promise<string> {
  const request = { ownerId: ada.user.id, integrationId, url: `${host.url}/ada/app.git` };
  const credential = await backend.connect.credentials.forGit(request, signal);
  return credential.kind === 'https' ? credential.token.reveal() : '';
}

function refreshCount(): number {
  return gitlab.requests.filter(({ url }) => url.pathname === '/oauth/token').length;
}

async function stateOf(): Promise<string> {
  return (await integrationsOf(backend, ada))[0].values.state;
}

it('returns the token while it is valid', async () => {
  const id = await connectIntegration();
  const first = await gitToken(id);
  backend.clock.ahead = LIFETIME_MS - 6 * 60_000;
  expect(await gitToken(id)).toBe(first);
  expect(refreshCount()).toBe(0);
});

it.each([
  ['shortly before it expires', LIFETIME_MS - 4 * 60_000],
  ['long after it expired', LIFETIME_MS * 100],
])('refreshes a token %s', async (_, ahead) => {
  const id = await connectIntegration();
  const first = await gitToken(id);
  backend.clock.ahead = ahead;
  const second = await gitToken(id);
  expect(second).not.toBe(first);
  expect(gitlab.state.userOf(`Bearer ${second}`)).toMatchObject({ login: 'ada' });
  expect(await gitToken(id)).toBe(second);
  expect(refreshCount()).toBe(1);
});

it('refreshes once for concurrent requests', async () => {
  const id = await connectIntegration();
  backend.clock.ahead = LIFETIME_MS;
  const tokens = await Promise.all(Array.from({ length: 10 }, () => gitToken(id)));
  expect(new Set(tokens).size).toBe(1);
  expect(refreshCount()).toBe(1);
});

it('refreshes repeatedly, each time with the newest refresh token', async () => {
  const id = await connectIntegration();
  for (const round of [1, 2, 3]) {
    backend.clock.ahead = LIFETIME_MS * round;
    expect(gitlab.state.userOf(`Bearer ${await gitToken(id)}`)).toBeDefined();
  }
  expect(await stateOf()).toBe('connected');
});

it('keeps using a token that expires soon while the provider is unavailable', async () => {
  const id = await connectIntegration();
  const first = await gitToken(id);
  backend.clock.ahead = LIFETIME_MS - 60_000;
  gitlab.intercept = () => ({ status: 503, body: {} });
  expect(await gitToken(id)).toBe(first);
  backend.clock.ahead = LIFETIME_MS + 1;
  await expect(gitToken(id)).rejects.toMatchObject({ reason: 'repository-unreachable' });
  gitlab.intercept = undefined;
  expect(await gitToken(id)).not.toBe(first);
  expect(await stateOf()).toBe('connected');
});

it('sets the state reconnect when the refresh token is no longer valid', async () => {
  const id = await connectIntegration();
  gitlab.oauth.refreshTokens.clear();
  backend.clock.ahead = LIFETIME_MS;
  await expect(gitToken(id)).rejects.toMatchObject({ reason: 'integration-expired' });
  expect(await stateOf()).toBe('reconnect');
  backend.clock.ahead = 0;
  await connectByOauth(backend, ada, 'gitlab');
  expect(await integrationsOf(backend, ada)).toMatchObject([
    { id, values: { state: 'connected' } },
  ]);
  expect(await gitToken(id)).not.toBe('');
});

/** Reads the account name from the provider, as an endpoint would. */
async function readAccountName(integrationId: string): Promise<string> {
  const seal = await createSeal(backend.keys);
  const { clock } = backend;
  const secrets = createSealedSecrets(backend.db, seal);
  const integrations = createIntegrations(backend.db, seal);
  const oauthProviders = createOauthProviders(clients);
  const apiDeps = { fetch: localFetch, clock };
  const accounts = createAccounts({
    secrets,
    clock,
    integrations,
    gitProviders: createGitProviders(apiDeps),
    refreshToken: createTokenRefresh({
      secrets,
      oauthProviders,
      locks: createKeyedMutex(),
      refresh: (provider, refreshToken) => refreshTokens(provider, refreshToken, apiDeps),
    }),
  });
  const integration = await integrations.find(ada.user.id, integrationId);
  if (integration === undefined) throw new Error('The integration does not exist');
  const { name } = await accounts.use(integration, (provider, account) =>
    provider.account(account, signal),
  );
  return name;
}

it('sets the state reconnect when the token was revoked, until the provider accepts it again', async () => {
  const id = await connectIntegration('github');
  const accessToken = await gitToken(id, github);
  github.intercept = () => ({ status: 401, body: { message: 'Bad credentials' } });
  await expect(readAccountName(id)).rejects.toMatchObject({ reason: 'unauthorized' });
  expect(await stateOf()).toBe('reconnect');
  await expect(gitToken(id, github)).rejects.toMatchObject({ reason: 'integration-expired' });
  github.intercept = undefined;
  expect(await readAccountName(id)).toBe('ada');
  expect(await gitToken(id, github)).toBe(accessToken);
});

it('refreshes and retries when the provider revoked a token before it expired', async () => {
  const id = await connectIntegration();
  const first = await gitToken(id);
  gitlab.state.revokeToken(first);
  expect(await readAccountName(id)).toBe('ada');
  expect(await gitToken(id)).not.toBe(first);
  expect(await stateOf()).toBe('connected');
});

it.each([503, 429, 404, 403])(
  'stays connected when the provider responds with %s',
  async (status) => {
    const id = await connectIntegration();
    gitlab.intercept = () => ({ status, body: {} });
    await expect(readAccountName(id)).rejects.toThrow();
    expect(await stateOf()).toBe('connected');
  },
);
