import { Made } from '../answer-fields.ts';
import type { Account, GitProvider, OauthClient } from '../git-provider.ts';
import { MAX_BRANCHES, MAX_REPOSITORIES, MAX_TAGS, RECENT_COMMITS } from '../limits.ts';
import { listFirst, listPages } from '../list-pages.ts';
import { type ApiDeps, createProviderApi } from '../provider-api.ts';
import { recentFirst } from '../recent-first.ts';
import { ownedRepository } from '../repository-name.ts';
import { HubBranch, HubCommit, HubRepository, HubTag, HubUser } from './hub-answers.ts';

/** GitHub and Gitea have the same paths, and differ in these. */
export type HubDialect = {
  api(url: string): string;
  headers(token: string): Record<string, string>;
  /** What a query calls the number of entries on a page, and how many there can be. */
  pageSize: { name: string; max: number };
  /** What repositories are asked for with, besides. */
  repositories: Record<string, string>;
  /** What is sent to have pushes told. */
  hook(url: string, secret: string): unknown;
  revoke(
    account: Account,
    client: OauthClient | undefined,
    signal: AbortSignal,
  ): Promise<'revoked' | 'kept'>;
};

export function createHubProvider(deps: ApiDeps, dialect: HubDialect): GitProvider {
  const { name: sizeName, max } = dialect.pageSize;
  const wholePages = (query: Record<string, string> = {}) =>
    new URLSearchParams({ ...query, [sizeName]: String(max) });
  const apiOf = ({ url, token }: Account, signal: AbortSignal) => {
    const place = { url: dialect.api(url), headers: dialect.headers(token.reveal()), token };
    return createProviderApi(deps, place, signal);
  };

  return {
    account: (account, signal) => apiOf(account, signal).get('/user', HubUser),

    // Neither can search among what an account is a member of.
    canSearch: false,
    async repositories(account, _wish, signal) {
      const wish = {
        path: `/user/repos?${wholePages(dialect.repositories)}`,
        entry: HubRepository,
        maxEntries: MAX_REPOSITORIES,
      };
      return recentFirst(await listPages(apiOf(account, signal), wish, deps.clock));
    },
    repository: async (account, name, signal) =>
      apiOf(account, signal).get(at(name), HubRepository),

    async branches(account, name, signal) {
      const api = apiOf(account, signal);
      const path = `${at(name)}/branches?${wholePages()}`;
      const wish = { path, entry: HubBranch, maxEntries: MAX_BRANCHES };
      const [{ defaultBranch }, { entries, isCut }] = await Promise.all([
        api.get(at(name), HubRepository),
        listPages(api, wish, deps.clock),
      ]);
      const withDefault = entries.map((it) => ({ ...it, isDefault: it.name === defaultBranch }));
      return { entries: withDefault, isCut };
    },
    async refs(account, { repository, branch }, signal) {
      const query = new URLSearchParams({ sha: branch, [sizeName]: String(RECENT_COMMITS) });
      const path = `${at(repository)}/commits?${query}`;
      const wish = { path, entry: HubCommit, maxEntries: RECENT_COMMITS };
      return await listFirst(apiOf(account, signal), wish);
    },
    async tags(account, name, signal) {
      const path = `${at(name)}/tags?${wholePages()}`;
      const wish = { path, entry: HubTag, maxEntries: MAX_TAGS };
      return await listPages(apiOf(account, signal), wish, deps.clock);
    },

    async addKey(account, { title, publicKey, repository }, signal) {
      const key = { title, key: publicKey, read_only: true };
      return await apiOf(account, signal).post(keysAt(repository), key, Made);
    },
    removeKey: async (account, { id, repository }, signal) =>
      apiOf(account, signal).delete(`${keysAt(repository)}/${encodeURIComponent(id)}`),

    async addHook(account, { repository, url, secret }, signal) {
      const hook = dialect.hook(url, secret.reveal());
      return await apiOf(account, signal).post(`${at(repository)}/hooks`, hook, Made);
    },
    removeHook: async (account, { repository, id }, signal) =>
      apiOf(account, signal).delete(`${at(repository)}/hooks/${encodeURIComponent(id)}`),

    revoke: dialect.revoke,
  };
}

function at(name: string): string {
  return `/repos/${ownedRepository(name)}`;
}

function keysAt(repository: string | undefined): string {
  return repository === undefined ? '/user/keys' : `${at(repository)}/keys`;
}
