import type { Account, GitProvider, OauthClient } from '../git-provider.ts';
import {
  listFirst,
  listPages,
  MAX_BRANCHES,
  MAX_REPOSITORIES,
  MAX_TAGS,
  RECENT_COMMITS,
} from '../list-pages.ts';
import { type ApiDeps, createProviderApi } from '../provider-api.ts';
import { ownedRepository } from '../repository-name.ts';
import { CreatedId } from '../response-fields.ts';
import { sortByActivity } from '../sort-repositories.ts';
import {
  GithubBranch,
  GithubCommit,
  GithubRepository,
  GithubTag,
  GithubUser,
} from './github-responses.ts';

/** GitHub and Gitea have the same API paths. These are the differences. */
export type GithubDialect = {
  api(url: string): string;
  headers(token: string): Record<string, string>;
  /** The query parameter for the page size, and its maximum. */
  pageSize: { name: string; max: number };
  /** Additional query parameters for listing repositories. */
  repositoriesQuery: Record<string, string>;
  /** The request body for creating a webhook. */
  hook(url: string, secret: string): unknown;
  revoke(
    account: Account,
    client: OauthClient | undefined,
    signal: AbortSignal,
  ): Promise<'revoked' | 'not-revoked'>;
};

export function createGithubCompatibleProvider(deps: ApiDeps, dialect: GithubDialect): GitProvider {
  const { name: sizeName, max } = dialect.pageSize;
  const fullPageQuery = (query: Record<string, string> = {}) =>
    new URLSearchParams({ ...query, [sizeName]: String(max) });
  const apiOf = ({ url, token }: Account, signal: AbortSignal) => {
    const endpoint = { url: dialect.api(url), headers: dialect.headers(token.reveal()), token };
    return createProviderApi(deps, endpoint, signal);
  };

  return {
    account: (account, signal) => apiOf(account, signal).get('/user', GithubUser),

    // Neither API can search within the repositories of an account.
    canSearch: false,
    async repositories(account, _options, signal) {
      const options = {
        path: `/user/repos?${fullPageQuery(dialect.repositoriesQuery)}`,
        entry: GithubRepository,
        maxEntries: MAX_REPOSITORIES,
      };
      return sortByActivity(await listPages(apiOf(account, signal), options, deps.clock));
    },
    repository: async (account, name, signal) =>
      apiOf(account, signal).get(repositoryPath(name), GithubRepository),

    async branches(account, name, signal) {
      const api = apiOf(account, signal);
      const path = `${repositoryPath(name)}/branches?${fullPageQuery()}`;
      const options = { path, entry: GithubBranch, maxEntries: MAX_BRANCHES };
      const [{ defaultBranch }, { entries, isCut }] = await Promise.all([
        api.get(repositoryPath(name), GithubRepository),
        listPages(api, options, deps.clock),
      ]);
      const withDefault = entries.map((it) => ({ ...it, isDefault: it.name === defaultBranch }));
      return { entries: withDefault, isCut };
    },
    async refs(account, { repository, branch }, signal) {
      const query = new URLSearchParams({ sha: branch, [sizeName]: String(RECENT_COMMITS) });
      const path = `${repositoryPath(repository)}/commits?${query}`;
      const options = { path, entry: GithubCommit, maxEntries: RECENT_COMMITS };
      return await listFirst(apiOf(account, signal), options);
    },
    async tags(account, name, signal) {
      const path = `${repositoryPath(name)}/tags?${fullPageQuery()}`;
      const options = { path, entry: GithubTag, maxEntries: MAX_TAGS };
      return await listPages(apiOf(account, signal), options, deps.clock);
    },

    async addKey(account, { title, publicKey, repository }, signal) {
      const key = { title, key: publicKey, read_only: true };
      return await apiOf(account, signal).post(keysPath(repository), key, CreatedId);
    },
    removeKey: async (account, { id, repository }, signal) =>
      apiOf(account, signal).delete(`${keysPath(repository)}/${encodeURIComponent(id)}`),

    async addHook(account, { repository, url, secret }, signal) {
      const hook = dialect.hook(url, secret.reveal());
      return await apiOf(account, signal).post(
        `${repositoryPath(repository)}/hooks`,
        hook,
        CreatedId,
      );
    },
    removeHook: async (account, { repository, id }, signal) =>
      apiOf(account, signal).delete(
        `${repositoryPath(repository)}/hooks/${encodeURIComponent(id)}`,
      ),

    revoke: dialect.revoke,
  };
}

function repositoryPath(name: string): string {
  return `/repos/${ownedRepository(name)}`;
}

function keysPath(repository: string | undefined): string {
  return repository === undefined ? '/user/keys' : `${repositoryPath(repository)}/keys`;
}
