import type { Session } from '@longshore/contract';
import { type GitHost, startGithubHost, startGitlabHost } from '@longshore/testkit/git-hosts';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  type Backend,
  bearer,
  startBackend,
  stopWithoutErrors,
} from '../../test-support/backend.ts';
import { clientAt, connectByOauth, integrationsOf } from '../testing/connected.ts';

const LIFETIME_MS = 7_200_000;

let gitlab: GitHost;
let github: GitHost;
let backend: Backend;
let ada: Session;
const { signal } = new AbortController();

beforeAll(async () => {
  [gitlab, github] = [await startGitlabHost(), await startGithubHost()];
  const oauthClients = { ...clientAt(gitlab, 'gitlab'), ...clientAt(github, 'github') };
  backend = await startBackend({ connect: { allowLocalSources: true, oauthClients } });
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

const repositories = (id: string) =>
  backend.ask(`/v1/connect/integrations/${id}/repositories`, { headers: bearer(ada) });

it('waits to be connected again when the token was revoked', async () => {
  const id = await connected('github');
  github.state.revokeToken(await token(id, github));
  expect((await repositories(id)).status).toBe(409);
  expect(await stateOf()).toBe('reconnect');
});

it('asks once more with a newer token when the provider forgot one before its time', async () => {
  const id = await connected();
  const first = await token(id);
  gitlab.state.revokeToken(first);
  expect((await repositories(id)).status).toBeLessThan(300);
  expect(await token(id)).not.toBe(first);
  expect(await stateOf()).toBe('connected');
});
