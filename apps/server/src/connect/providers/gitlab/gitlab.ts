import { z } from 'zod';
import { Made } from '../answer-fields.ts';
import type { Account, GitProvider } from '../git-provider.ts';
import { MAX_BRANCHES, MAX_REPOSITORIES, MAX_TAGS, RECENT_COMMITS } from '../limits.ts';
import { listFirst, listPages } from '../list-pages.ts';
import { type ApiDeps, createProviderApi } from '../provider-api.ts';
import { recentFirst } from '../recent-first.ts';
import { repositoryParts } from '../repository-name.ts';
import {
  GitlabBranch,
  GitlabCommit,
  GitlabProject,
  GitlabTag,
  GitlabUser,
} from './gitlab-answers.ts';

const PER_PAGE = '100';

/** GitLab, or one's own. docs.gitlab.com/api */
export function createGitlab(deps: ApiDeps): GitProvider {
  const apiOf = ({ url, token }: Account, signal: AbortSignal) => {
    const headers = { authorization: `Bearer ${token.reveal()}` };
    return createProviderApi(deps, { url: `${url}/api/v4`, headers, token }, signal);
  };

  return {
    account: (account, signal) => apiOf(account, signal).get('/user', GitlabUser),

    canSearch: true,
    async repositories(account, { search }, signal) {
      const query = new URLSearchParams({
        membership: 'true',
        order_by: 'last_activity_at',
        per_page: PER_PAGE,
        ...(search === '' ? {} : { search, search_namespaces: 'true' }),
      });
      const wish = {
        path: `/projects?${query}`,
        entry: GitlabProject,
        maxEntries: MAX_REPOSITORIES,
      };
      return recentFirst(await listPages(apiOf(account, signal), wish, deps.clock));
    },
    repository: async (account, name, signal) =>
      apiOf(account, signal).get(at(name), GitlabProject),

    async branches(account, name, signal) {
      const path = `${at(name)}/repository/branches?per_page=${PER_PAGE}`;
      const wish = { path, entry: GitlabBranch, maxEntries: MAX_BRANCHES };
      return listPages(apiOf(account, signal), wish, deps.clock);
    },
    async refs(account, { repository, branch }, signal) {
      const query = new URLSearchParams({ ref_name: branch, per_page: String(RECENT_COMMITS) });
      const path = `${at(repository)}/repository/commits?${query}`;
      const wish = { path, entry: GitlabCommit, maxEntries: RECENT_COMMITS };
      return await listFirst(apiOf(account, signal), wish);
    },
    async tags(account, name, signal) {
      const path = `${at(name)}/repository/tags?per_page=${PER_PAGE}`;
      const wish = { path, entry: GitlabTag, maxEntries: MAX_TAGS };
      return listPages(apiOf(account, signal), wish, deps.clock);
    },

    async addKey(account, { title, publicKey, repository }, signal) {
      const key = { title, key: publicKey, ...(repository === undefined ? {} : READ_ONLY) };
      return apiOf(account, signal).post(keysAt(repository), key, Made);
    },
    removeKey: async (account, { id, repository }, signal) =>
      apiOf(account, signal).delete(`${keysAt(repository)}/${encodeURIComponent(id)}`),

    async addHook(account, { repository, url, secret }, signal) {
      const hook = { url, token: secret.reveal(), push_events: true, tag_push_events: true };
      return apiOf(account, signal).post(`${at(repository)}/hooks`, hook, Made);
    },
    removeHook: async (account, { repository, id }, signal) =>
      apiOf(account, signal).delete(`${at(repository)}/hooks/${encodeURIComponent(id)}`),

    async revoke(account, client, signal) {
      if (client === undefined) return 'kept';
      const { url, token } = account;
      const body = {
        client_id: client.clientId,
        client_secret: client.clientSecret.reveal(),
        token: token.reveal(),
      };
      // Beside the API, and known by the client's secret instead.
      const beside = createProviderApi(deps, { url, headers: {}, token }, signal);
      await beside.post('/oauth/revoke', body, z.unknown());
      return 'revoked';
    },
  };
}

const READ_ONLY = { can_push: false };

function at(name: string): string {
  return `/projects/${encodeURIComponent(repositoryParts(name).join('/'))}`;
}

function keysAt(repository: string | undefined): string {
  return repository === undefined ? '/user/keys' : `${at(repository)}/deploy_keys`;
}
