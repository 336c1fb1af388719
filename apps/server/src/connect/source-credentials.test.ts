import type { Session } from '@longshore/contract';
import { type GitHost, startGithubHost, startGitlabHost } from '@longshore/testkit/git-hosts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Backend, bearer, startBackend, stopWithoutErrors } from '../../test/backend.ts';
import { type FakeRegistry, startFakeRegistry } from '../../test/connect/fake-registry.ts';

let gitlab: GitHost;
let github: GitHost;
let hub: FakeRegistry;
let registry: FakeRegistry;
let backend: Backend;
let ada: Session;
let eve: Session;
const ids = { gitlab: '', github: '', hub: '', registry: '' };
const tokens = { gitlab: '', github: '' };
const { signal } = new AbortController();

beforeAll(async () => {
  [gitlab, github] = [await startGitlabHost(), await startGithubHost()];
  [hub, registry] = [await startFakeRegistry('bearer'), await startFakeRegistry('basic')];
  for (const { accounts } of [hub, registry]) accounts.set('ada', 'hunter2');
  backend = await startBackend({
    connect: {
      allowLocalSources: true,
      dockerHubUrl: hub.url,
      gitHosts: { gitlab: gitlab.url, github: github.url },
    },
  });
  [ada, eve] = [await backend.signUp(), await backend.signUp()];
  Object.assign(tokens, {
    gitlab: gitlab.state.issueToken('ada'),
    github: github.state.issueToken('ada'),
  });
  const login = { username: 'ada', password: 'hunter2' };
  ids.gitlab = await connect('token', { provider: 'gitlab', token: tokens.gitlab });
  ids.github = await connect('token', { provider: 'github', token: tokens.github });
  ids.hub = await connect('dockerhub', login);
  ids.registry = await connect('registry', { ...login, host: registry.host });
});
afterAll(async () => {
  for (const host of [gitlab, github, hub, registry]) await host.close();
  await stopWithoutErrors(backend);
});

async function connect(endpoint: string, body: unknown): Promise<string> {
  const response = await backend.post<{ id: string }>(
    `/v1/connect/auth/${endpoint}`,
    body,
    bearer(ada),
  );
  return response.body.id;
}

type Name = keyof typeof ids;

const forGit = (name: Name, url: string, ownerId = ada.user.id) =>
  backend.connect.credentials.forGit({ ownerId, integrationId: ids[name], url }, signal);

const forRegistry = (name: Name, image: string, ownerId = ada.user.id) =>
  backend.connect.credentials.forRegistry({ ownerId, integrationId: ids[name], image }, signal);

describe('a repository', () => {
  it.each([
    ['gitlab', 'oauth2'],
    ['github', 'x-access-token'],
  ] as const)('of %s is cloned as user %s with the token', async (name, username) => {
    const { url } = name === 'gitlab' ? gitlab : github;
    const credential = await forGit(name, `${url}/ada/app.git`);
    expect(credential).toMatchObject({ kind: 'https', username });
    expect(credential.kind === 'https' && credential.token.reveal()).toBe(tokens[name]);
    expect(credential.name).toBe(`ada at ${new URL(url).host}`);
  });

  it.each([
    ['another host', 'https://evil.example/ada/app.git'],
    ['another host over ssh', 'git@evil.example:ada/app.git'],
    ['a host with the same prefix', 'http://127.0.0.1.evil.example/ada/app.git'],
    ['a host behind a user name', 'http://127.0.0.1@evil.example/ada/app.git'],
    ['a file', 'file:///srv/app.git'],
    ['an invalid URL', 'ext::sh -c id'],
  ])('at %s gets no credentials', async (_, url) => {
    await expect(forGit('gitlab', url)).rejects.toMatchObject({ reason: 'integration-elsewhere' });
  });

  it('gets no credentials for a host that was changed in the database', async () => {
    const setHost = (host: string) =>
      backend.pool.query(
        `update public.resources set values = values || jsonb_build_object('host', $1::text) where id = $2`,
        [host, ids.gitlab],
      );
    await setHost('evil.example');
    await expect(forGit('gitlab', 'https://evil.example/a/b.git')).rejects.toMatchObject({
      reason: 'integration-elsewhere',
    });
    await setHost(new URL(gitlab.url).host);
  });

  it('gets no credentials of a registry', async () => {
    await expect(forGit('registry', `${registry.url}/ada/app.git`)).rejects.toMatchObject({
      reason: 'integration-elsewhere',
    });
  });

  it('gets no credentials of another user', async () => {
    await expect(forGit('gitlab', `${gitlab.url}/a/b.git`, eve.user.id)).rejects.toMatchObject({
      reason: 'integration-not-found',
    });
  });

  it.each(['', 'nonsense', '00000000-0000-0000-0000-000000000000'])(
    'gets no credentials of the integration %j',
    async (integrationId) => {
      const request = { ownerId: ada.user.id, integrationId, url: `${gitlab.url}/a/b.git` };
      await expect(backend.connect.credentials.forGit(request, signal)).rejects.toMatchObject({
        reason: 'integration-not-found',
      });
    },
  );
});

describe('an image', () => {
  it.each([
    ['hub', 'ada/app:1', 'docker.io'],
    ['hub', 'index.docker.io/ada/app', 'docker.io'],
  ] as const)('of %s, %s, is pulled with the password', async (name, image, host) => {
    const credential = await forRegistry(name, image);
    expect(credential).toMatchObject({ host, username: 'ada' });
    expect(credential.password.reveal()).toBe('hunter2');
  });

  it('of a registry is pulled from its host and port', async () => {
    const { host } = registry;
    expect(await forRegistry('registry', `${host}/app`)).toMatchObject({ host, username: 'ada' });
    await expect(forRegistry('registry', '127.0.0.1:1/app')).rejects.toMatchObject({
      reason: 'integration-elsewhere',
    });
  });

  it.each([
    ['registry', 'ada/app'],
    ['hub', 'ghcr.io/ada/app'],
    ['gitlab', 'ada/app'],
  ] as const)('gets no credentials of %s for %s', async (name, image) => {
    await expect(forRegistry(name, image)).rejects.toMatchObject({
      reason: 'integration-elsewhere',
    });
  });

  it('gets no credentials of another user', async () => {
    await expect(forRegistry('hub', 'ada/app', eve.user.id)).rejects.toMatchObject({
      reason: 'integration-not-found',
    });
  });
});

describe('base images', () => {
  const find = (ownerId: string) => backend.connect.credentials.forBaseImages({ ownerId }, signal);
  const setValues = (id: string, values: Record<string, string>) =>
    backend.pool.query('update public.resources set values = values || $1 where id = $2', [
      JSON.stringify(values),
      id,
    ]);

  it('get every registry of the owner, and no code host', async () => {
    const { credentials, skipped } = await find(ada.user.id);
    expect(credentials.map(({ host }) => host).sort()).toEqual([registry.host, 'docker.io'].sort());
    expect(credentials.map(({ password }) => password.reveal())).toEqual(['hunter2', 'hunter2']);
    expect(skipped).toEqual([]);
  });

  it('get nothing of another user', async () => {
    expect(await find(eve.user.id)).toEqual({ credentials: [], skipped: [] });
  });

  it('get the newest integration of a host, and the reason why another one is skipped', async () => {
    hub.accounts.set('bob', 'hunter3');
    const id = await connect('dockerhub', { username: 'bob', password: 'hunter3' });
    const { credentials, skipped } = await find(ada.user.id);
    expect(credentials.filter(({ host }) => host === 'docker.io')).toMatchObject([
      { username: 'bob' },
    ]);
    expect(skipped).toEqual([
      'ada at docker.io: bob at docker.io is newer and for the same registry',
    ]);
    await setValues(id, { state: 'expired' });
    const older = await find(ada.user.id);
    expect(older.credentials).toContainEqual(expect.objectContaining({ username: 'ada' }));
    expect(older.skipped).toEqual([
      'bob at docker.io: it has lost its access. Reconnect it on the integrations page',
    ]);
    await backend.pool.query('delete from public.resources where id = $1', [id]);
  });

  it('skip an integration whose password cannot be read', async () => {
    const replace = (sealed: string) =>
      backend.pool.query<{ sealed: string }>(
        'update connect.secrets set sealed = $1 where integration_id = $2',
        [sealed, ids.hub],
      );
    const { rows } = await backend.pool.query<{ sealed: string }>(
      'select sealed from connect.secrets where integration_id = $1',
      [ids.hub],
    );
    await replace('AAAA');
    const { credentials, skipped } = await find(ada.user.id);
    expect(credentials.map(({ host }) => host)).toEqual([registry.host]);
    expect(skipped).toHaveLength(1);
    await replace(rows[0]?.sealed ?? '');
  });
});

it('provides no credentials of a deleted integration', async () => {
  const id = ids.hub;
  await backend.request(`/v1/connect/integrations/${id}`, {
    method: 'DELETE',
    headers: bearer(ada),
  });
  await expect(forRegistry('hub', 'ada/app')).rejects.toMatchObject({
    reason: 'integration-not-found',
  });
});
