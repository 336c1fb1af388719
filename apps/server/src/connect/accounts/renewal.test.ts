import { join } from 'node:path';
import type { Session } from '@longshore/contract';
import { type GitHost, startGithubHost, startGitlabHost } from '@longshore/testkit/git-hosts';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Backend, startBackend, stopWithoutErrors } from '../../../test/backend.ts';
import { clientAt, connectByOauth, integrationsOf } from '../../../test/connect/connected.ts';
import { localFetch } from '../../../test/connect/providers/local-fetch.ts';
import { createSeal } from '../../secrets/seal.ts';
import { createOauthProviders, type OauthClients } from '../oauth/oauth-providers.ts';
import { refreshTokens } from '../oauth/request-tokens.ts';
import { createGitProviders } from '../providers/create-git-providers.ts';
import { createSealedSecrets } from '../secrets/sealed-secrets.ts';
import { createIntegrations } from './integrations.ts';
import { createOpenAccounts } from './open-accounts.ts';
import { createRenewals } from './renewals.ts';

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

async function connected(provider: 'gitlab' | 'github' = 'gitlab'): Promise<string> {
  await connectByOauth(backend, ada, provider);
  const [{ id }] = await integrationsOf(backend, ada);
  for (const host of [gitlab, github]) host.requests.length = 0;
  return id;
}

/** What git would clone with. */
async function token(integrationId: string, host = gitlab): Promise<string> {
  const asked = { ownerId: ada.user.id, integrationId, url: `${host.url}/ada/app.git` };
  const credential = await backend.connect.credentials.forGit(asked, signal);
  return credential.kind === 'https' ? credential.token.reveal() : '';
}

function renewals(): number {
  return gitlab.requests.filter(({ url }) => url.pathname === '/oauth/token').length;
}

async function stateOf(): Promise<string> {
  return (await integrationsOf(backend, ada))[0].values.state;
}

it('hands out a token as long as it is good', async () => {
  const id = await connected();
  const first = await token(id);
  backend.clock.ahead = LIFETIME_MS - 6 * 60_000;
  expect(await token(id)).toBe(first);
  expect(renewals()).toBe(0);
});

it.each([
  ['shortly before it ends', LIFETIME_MS - 4 * 60_000],
  ['long after it ended', LIFETIME_MS * 100],
])('renews a token %s', async (_, ahead) => {
  const id = await connected();
  const first = await token(id);
  backend.clock.ahead = ahead;
  const second = await token(id);
  expect(second).not.toBe(first);
  expect(gitlab.state.personOf(`Bearer ${second}`)).toMatchObject({ login: 'ada' });
  expect(await token(id)).toBe(second);
  expect(renewals()).toBe(1);
});

it('renews once for all who ask at the same time', async () => {
  const id = await connected();
  backend.clock.ahead = LIFETIME_MS;
  const tokens = await Promise.all(Array.from({ length: 10 }, () => token(id)));
  expect(new Set(tokens).size).toBe(1);
  expect(renewals()).toBe(1);
});

it('renews one after the other, each with the newest refresh token', async () => {
  const id = await connected();
  for (const round of [1, 2, 3]) {
    backend.clock.ahead = LIFETIME_MS * round;
    expect(gitlab.state.personOf(`Bearer ${await token(id)}`)).toBeDefined();
  }
  expect(await stateOf()).toBe('connected');
});

it('goes on with a token that is nearly over while the provider is out of order', async () => {
  const id = await connected();
  const first = await token(id);
  backend.clock.ahead = LIFETIME_MS - 60_000;
  gitlab.intercept = () => ({ status: 503, body: {} });
  expect(await token(id)).toBe(first);
  backend.clock.ahead = LIFETIME_MS + 1;
  await expect(token(id)).rejects.toMatchObject({ reason: 'repository-unreachable' });
  gitlab.intercept = undefined;
  expect(await token(id)).not.toBe(first);
  expect(await stateOf()).toBe('connected');
});

it('waits to be connected again when the provider forgot the refresh token', async () => {
  const id = await connected();
  gitlab.oauth.refreshTokens.clear();
  backend.clock.ahead = LIFETIME_MS;
  await expect(token(id)).rejects.toMatchObject({ reason: 'integration-expired' });
  expect(await stateOf()).toBe('reconnect');
  backend.clock.ahead = 0;
  await connectByOauth(backend, ada, 'gitlab');
  expect(await integrationsOf(backend, ada)).toMatchObject([
    { id, values: { state: 'connected' } },
  ]);
  expect(await token(id)).not.toBe('');
});

/** What any endpoint does with an integration. */
async function whoAmI(integrationId: string): Promise<string> {
  const seal = await createSeal(join(backend.folder, 'keys'));
  const parts = { secrets: createSealedSecrets(backend.db, seal), clock: backend.clock };
  const integrations = createIntegrations(backend.db, seal);
  const oauthProviders = createOauthProviders(clients);
  const asking = { fetch: localFetch, clock: backend.clock };
  const accounts = createOpenAccounts({
    ...parts,
    integrations,
    gitProviders: createGitProviders(asking),
    renew: createRenewals({
      ...parts,
      oauthProviders,
      refresh: (provider, refreshToken) => refreshTokens(provider, refreshToken, asking),
    }),
  });
  const integration = await integrations.find(ada.user.id, integrationId);
  if (integration === undefined) throw new Error('There is none');
  const { name } = await accounts.use(integration, (provider, account) =>
    provider.account(account, signal),
  );
  return name;
}

it('waits to be connected again when the token was revoked, and is well once it is taken again', async () => {
  const id = await connected('github');
  const accessToken = await token(id, github);
  github.intercept = () => ({ status: 401, body: { message: 'Bad credentials' } });
  await expect(whoAmI(id)).rejects.toMatchObject({ reason: 'unauthorized' });
  expect(await stateOf()).toBe('reconnect');
  await expect(token(id, github)).rejects.toMatchObject({ reason: 'integration-expired' });
  github.intercept = undefined;
  expect(await whoAmI(id)).toBe('ada');
  expect(await token(id, github)).toBe(accessToken);
});

it('asks once more with a newer token when the provider forgot one before its time', async () => {
  const id = await connected();
  const first = await token(id);
  gitlab.state.revokeToken(first);
  expect(await whoAmI(id)).toBe('ada');
  expect(await token(id)).not.toBe(first);
  expect(await stateOf()).toBe('connected');
});

it.each([503, 429, 404, 403])('stays connected though the provider answers %s', async (status) => {
  const id = await connected();
  gitlab.intercept = () => ({ status, body: {} });
  await expect(whoAmI(id)).rejects.toThrow();
  expect(await stateOf()).toBe('connected');
});
