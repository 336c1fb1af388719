import type { GitProviderName } from '@longshore/contract';
import { createSimulatedClock } from '@longshore/testkit';
import {
  type GitHost,
  startGiteaHost,
  startGithubHost,
  startGitlabHost,
} from '@longshore/testkit/git-hosts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { localFetch } from '../../../test/connect/local-fetch.ts';
import { Secret } from '../../secrets/secret.ts';
import { createGitProviders } from './create-git-providers.ts';
import type { Account, GitProvider } from './git-provider.ts';

const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJx0 longshore';
const NO_ENTRIES = { entries: [], isCut: false };
const { signal } = new AbortController();

/** The contract of all providers, each tested against a fake host of its kind. */
describe.each<[GitProviderName, () => Promise<GitHost>]>([
  ['gitlab', startGitlabHost],
  ['github', startGithubHost],
  ['gitea', startGiteaHost],
])('%s', (name, start) => {
  const clock = createSimulatedClock();
  const provider = createGitProviders({ fetch: localFetch, clock })[name];
  let host: GitHost;
  let ada: Account;

  beforeEach(async () => {
    host = await start();
    ada = { url: host.url, token: new Secret(host.state.issueToken('ada')) };
  });
  afterEach(() => host.close());

  function addRepositories(count: number) {
    for (let index = 0; index < count; index += 1) {
      const day = String((index % 28) + 1).padStart(2, '0');
      const month = String((index % 12) + 1).padStart(2, '0');
      host.state.addRepository({
        fullName: `ada/app-${index}`,
        members: ['ada'],
        activeAt: `2026-${month}-${day}T00:00:00.000Z`,
      });
    }
  }

  it('returns the account of a token', async () => {
    const { id, login } = host.state.user('ada');
    expect(await provider.account(ada, signal)).toEqual({ id: String(id), name: login });
  });

  it('lists all pages of repositories, most recently active first', async () => {
    addRepositories(230);
    host.state.addRepository({ fullName: 'eve/secret', members: ['eve'] });
    const { entries, isCut } = await provider.repositories(ada, { search: '' }, signal);
    const expected = [...host.state.repositories.values()]
      .filter(({ members }) => members.has('ada'))
      .sort((a, b) => b.activeAt.localeCompare(a.activeAt) || (a.fullName < b.fullName ? -1 : 1));
    expect(entries.map(({ full_name }) => full_name)).toEqual(
      expected.map(({ fullName }) => fullName),
    );
    expect(isCut).toBe(false);
  });

  it('does not follow page links to another host', async () => {
    addRepositories(3);
    const otherHost = await start();
    const evil = `<${otherHost.url}/api/v4/projects?page=2>; rel="next"`;
    host.intercept = ({ url }) =>
      url.searchParams.has('page') ? undefined : { body: [], headers: { link: evil } };
    await provider.repositories(ada, { search: '' }, signal);
    expect(host.requests.map(({ url }) => url.searchParams.get('page'))).toEqual([null, '2']);
    expect(otherHost.requests).toEqual([]);
    await otherHost.close();
  });

  it('stops when pages form a loop', async () => {
    host.intercept = () => ({ body: [], headers: { link: '<?page=1>; rel="next"' } });
    const { isCut } = await provider.repositories(ada, { search: '' }, signal);
    expect(isCut).toBe(true);
    expect(host.requests).toHaveLength(2);
  });

  it('does not send the token to a redirect target', async () => {
    const otherHost = await start();
    const { token } = ada;
    host.intercept = () => ({ status: 302, headers: { location: `${otherHost.url}/api/v4/user` } });
    await expect(provider.account(ada, signal)).rejects.toThrow();
    const sentAuthorizations = otherHost.requests.map(({ headers }) => headers.authorization);
    expect(sentAuthorizations).toEqual([undefined]);
    expect(JSON.stringify(otherHost.requests)).not.toContain(token.reveal());
    await otherHost.close();
  });

  it('returns the repository fields that the console needs', async () => {
    const { id } = host.state.addRepository({
      fullName: 'ada/app',
      members: ['ada'],
      description: 'A shop',
      defaultBranch: 'trunk',
      activeAt: '2026-02-03T04:05:06+02:00',
    });
    expect(await provider.repository(ada, 'ada/app', signal)).toEqual({
      id: String(id),
      name: 'app',
      full_name: 'ada/app',
      description: 'A shop',
      url: `${host.url}/ada/app.git`,
      sshUrl: 'git@127.0.0.1:ada/app.git',
      defaultBranch: 'trunk',
      isPrivate: true,
      activeAt: '2026-02-03T02:05:06.000Z',
    });
  });

  it('searches repositories by name or description, where supported', async () => {
    addRepositories(3);
    host.state.addRepository({ fullName: 'ada/shop', members: ['ada'], description: 'Sells tea' });
    for (const search of ['SHOP', 'tea', 'da/sho']) {
      const { entries } = await provider.repositories(ada, { search }, signal);
      expect(entries.map(({ full_name }) => full_name)).toContain('ada/shop');
      expect(entries).toHaveLength(provider.canSearch ? 1 : 4);
    }
  });

  it('lists branches and tags, also with slashes in their names', async () => {
    const branches = ['main', 'feature/a%2Fb#1', ...Array.from({ length: 130 }, (_, n) => `b${n}`)];
    const tags = ['v1', 'release/2'];
    const { branches: createdBranches } = host.state.addRepository({
      fullName: 'ada/app',
      members: ['ada'],
      branches,
      tags,
    });
    const listed = await provider.branches(ada, 'ada/app', signal);
    expect(listed.entries.map(({ name }) => name)).toEqual(branches);
    expect(listed.entries[0]).toEqual({
      name: 'main',
      isDefault: true,
      commit: createdBranches.get('main')?.[0]?.sha,
    });
    expect(listed.entries[1]?.isDefault).toBe(false);
    const { entries } = await provider.tags(ada, 'ada/app', signal);
    expect(entries.map(({ name }) => name)).toEqual(tags);
  });

  it.each<[string, (read: GitProvider) => Promise<unknown>, unknown]>([
    ['repositories', (it) => it.repositories(ada, { search: '' }, signal), NO_ENTRIES],
    ['search results', (it) => it.repositories(ada, { search: 'tea' }, signal), NO_ENTRIES],
    ['branches', (it) => it.branches(ada, 'ada/app', signal), NO_ENTRIES],
    ['tags', (it) => it.tags(ada, 'ada/app', signal), NO_ENTRIES],
    ['commits', (it) => it.refs(ada, { repository: 'ada/app', branch: 'main' }, signal), []],
  ])('reads null as an empty list of %s', async (_list, read, empty) => {
    host.state.addRepository({ fullName: 'ada/app', members: ['ada'] });
    host.intercept = ({ url }) =>
      /\/(?:repos|projects|branches|tags|commits)$/.test(url.pathname) ? { body: null } : undefined;
    expect(await read(provider)).toEqual(empty);
  });

  it.each<[string, (read: GitProvider) => Promise<unknown>, unknown]>([
    ['branches', (it) => it.branches(ada, 'ada/app', signal), NO_ENTRIES],
    ['tags', (it) => it.tags(ada, 'ada/app', signal), NO_ENTRIES],
    ['commits', (it) => it.refs(ada, { repository: 'ada/app', branch: 'main' }, signal), []],
  ])('lists no %s of an empty repository', async (_list, read, empty) => {
    host.state.addRepository({ fullName: 'ada/app', members: ['ada'] });
    const response =
      name === 'gitlab'
        ? { status: 404, body: { message: '404 Repository Not Found' } }
        : { status: 409, body: { message: 'Git Repository is empty.' } };
    host.intercept = ({ url }) =>
      /\/(?:branches|tags|commits)$/.test(url.pathname) ? response : undefined;
    expect(await read(provider)).toEqual(empty);
  });

  it('lists the recent commits of a branch', async () => {
    const branch = 'feature/a%2Fb#1';
    const { branches } = host.state.addRepository({
      fullName: 'ada/app',
      members: ['ada'],
      branches: ['main', branch],
    });
    const commit = branches.get(branch)?.[0];
    expect(await provider.refs(ada, { repository: 'ada/app', branch }, signal)).toEqual([
      { commit: commit?.sha, title: commit?.title, at: commit?.at },
    ]);
    const unknownBranch = provider.refs(ada, { repository: 'ada/app', branch: 'none' }, signal);
    await expect(unknownBranch).rejects.toMatchObject({ reason: 'not-found' });
  });

  it.each(['eve/secret', 'ada/none', 'ada', '101', '..', 'ada/..', 'a/../../user', '', 'a/ b'])(
    'finds no repository %j',
    async (repository) => {
      host.state.addRepository({ fullName: 'eve/secret', members: ['eve'] });
      for (const send of [
        () => provider.repository(ada, repository, signal),
        () => provider.branches(ada, repository, signal),
        () => provider.tags(ada, repository, signal),
        () => provider.refs(ada, { repository, branch: 'main' }, signal),
      ]) {
        await expect(send()).rejects.toMatchObject({ reason: 'not-found' });
      }
    },
  );

  it.each([undefined, 'ada/app'])(
    'adds a key once and removes it, for the repository %s',
    async (repository) => {
      host.state.addRepository({ fullName: 'ada/app', members: ['ada'] });
      const scope = repository === undefined ? {} : { repository };
      const key = { title: 'Longshore', publicKey: KEY, ...scope };
      const id = await provider.addKey(ada, key, signal);
      expect(host.state.keys).toMatchObject([{ key: KEY, title: 'Longshore', repository }]);
      await expect(provider.addKey(ada, key, signal)).rejects.toMatchObject({ reason: 'refused' });
      await provider.removeKey(ada, { id, ...scope }, signal);
      await provider.removeKey(ada, { id, ...scope }, signal);
      expect(host.state.keys).toEqual([]);
    },
  );

  it('adds a hook and removes it', async () => {
    host.state.addRepository({ fullName: 'ada/app', members: ['ada'] });
    const hook = { repository: 'ada/app', url: 'https://here.example/hooks/1' };
    const id = await provider.addHook(ada, { ...hook, secret: new Secret('s3cret') }, signal);
    expect(host.state.hooks).toMatchObject([{ ...hook, secret: 's3cret' }]);
    await provider.removeHook(ada, { id, repository: 'ada/app' }, signal);
    await provider.removeHook(ada, { id, repository: 'ada/app' }, signal);
    expect(host.state.hooks).toEqual([]);
  });

  it('reports a revoked token', async () => {
    host.state.revokeToken(ada.token.reveal());
    await expect(provider.account(ada, signal)).rejects.toMatchObject({ reason: 'unauthorized' });
  });

  it('revokes an OAuth token, where supported', async () => {
    const { clientId, clientSecret } = host.oauth.app;
    const client = { clientId, clientSecret: new Secret(clientSecret) };
    expect(await provider.revoke(ada, undefined, signal)).toBe('not-revoked');
    expect(await provider.account(ada, signal)).toMatchObject({ name: 'ada' });
    const canRevoke = name !== 'gitea';
    expect(await provider.revoke(ada, client, signal)).toBe(canRevoke ? 'revoked' : 'not-revoked');
    const account = provider.account(ada, signal);
    if (canRevoke) await expect(account).rejects.toMatchObject({ reason: 'unauthorized' });
    else await account;
  });

  it('reports when to retry after a rate limit', async () => {
    const resetAt = new Date(Math.ceil(clock.now() / 1_000) * 1_000 + 90_000);
    host.rateLimit = { remaining: 0, resetAt };
    await expect(provider.account(ada, signal)).rejects.toMatchObject({
      reason: 'rate-limited',
      retryAt: resetAt,
    });
  });

  it.each([
    ['an HTML page', { body: '<html>', headers: { 'content-type': 'text/html' } }],
    ['an unexpected object', { body: { hello: 'world' } }],
    ['a list of null', { body: [null] }],
    ['an error', { status: 502, body: 'Bad gateway' }],
  ])('rejects %s', async (_case, response) => {
    host.intercept = () => response;
    await expect(provider.account(ada, signal)).rejects.toMatchObject({ reason: 'unreachable' });
  });

  it('never reveals the token in a failure', async () => {
    const token = ada.token.reveal();
    host.intercept = () => ({ status: 400, body: { message: `no ${token}`, error: token } });
    const failure = await provider.account(ada, signal).catch((error) => error);
    expect(failure.detail).toBe('no [secret]');
    expect(`${failure.stack} ${JSON.stringify(failure)}`).not.toContain(token);
  });

  it('reports a timeout as unreachable', async () => {
    const timedOut = AbortSignal.abort(new DOMException('', 'TimeoutError'));
    await expect(provider.account(ada, timedOut)).rejects.toMatchObject({ reason: 'unreachable' });
  });

  it('aborts with the reason of its signal', async () => {
    const aborted = AbortSignal.abort(new Error('aborted by the test'));
    await expect(provider.account(ada, aborted)).rejects.toThrow('aborted by the test');
  });
});
