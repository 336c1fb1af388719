import { z } from 'zod';
import type { Account, GitProvider } from '../git-provider.ts';
import {
  listFirst,
  listPages,
  MAX_BRANCHES,
  MAX_REPOSITORIES,
  MAX_TAGS,
  RECENT_COMMITS,
} from '../list-pages.ts';
import { type ApiDeps, createProviderApi } from '../provider-api.ts';
import { repositoryParts } from '../repository-name.ts';
import { CreatedId } from '../response-fields.ts';
import { sortByActivity } from '../sort-repositories.ts';
import {
  GitlabBranch,
  GitlabCommit,
  GitlabProject,
  GitlabTag,
  GitlabUser,
} from './gitlab-responses.ts';

const PER_PAGE = '100';

/** gitlab.com or a self-hosted GitLab (docs.gitlab.com/api). */
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
      const options = {
        path: `/projects?${query}`,
        entry: GitlabProject,
        maxEntries: MAX_REPOSITORIES,
      };
      return sortByActivity(await listPages(apiOf(account, signal), options, deps.clock));
    },
    repository: async (account, name, signal) =>
      apiOf(account, signal).get(projectPath(name), GitlabProject),

    async branches(account, name, signal) {
      const path = `${projectPath(name)}/repository/branches?per_page=${PER_PAGE}`;
      const options = { path, entry: GitlabBranch, maxEntries: MAX_BRANCHES };
      return listPages(apiOf(account, signal), options, deps.clock);
    },
    async refs(account, { repository, branch }, signal) {
      const query = new URLSearchParams({ ref_name: branch, per_page: String(RECENT_COMMITS) });
      const path = `${projectPath(repository)}/repository/commits?${query}`;
      const options = { path, entry: GitlabCommit, maxEntries: RECENT_COMMITS };
      return await listFirst(apiOf(account, signal), options);
    },
    async tags(account, name, signal) {
      const path = `${projectPath(name)}/repository/tags?per_page=${PER_PAGE}`;
      const options = { path, entry: GitlabTag, maxEntries: MAX_TAGS };
      return listPages(apiOf(account, signal), options, deps.clock);
    },

    async addKey(account, { title, publicKey, repository }, signal) {
      const key = { title, key: publicKey, ...(repository === undefined ? {} : READ_ONLY) };
      return apiOf(account, signal).post(keysPath(repository), key, CreatedId);
    },
    removeKey: async (account, { id, repository }, signal) =>
      apiOf(account, signal).delete(`${keysPath(repository)}/${encodeURIComponent(id)}`),

    async addHook(account, { repository, url, secret }, signal) {
      const hook = { url, token: secret.reveal(), push_events: true, tag_push_events: true };
      return apiOf(account, signal).post(`${projectPath(repository)}/hooks`, hook, CreatedId);
    },
    removeHook: async (account, { repository, id }, signal) =>
      apiOf(account, signal).delete(`${projectPath(repository)}/hooks/${encodeURIComponent(id)}`),

    async revoke(account, client, signal) {
      if (client === undefined) return 'not-revoked';
      const { url, token } = account;
      const body = {
        client_id: client.clientId,
        client_secret: client.clientSecret.reveal(),
        token: token.reveal(),
      };
      // Not part of the API; authenticated by the client's secret.
      const oauthApi = createProviderApi(deps, { url, headers: {}, token }, signal);
      await oauthApi.post('/oauth/revoke', body, z.unknown());
      return 'revoked';
    },
  };
}

const READ_ONLY = { can_push: false };

function projectPath(name: string): string {
  return `/projects/${encodeURIComponent(repositoryParts(name).join('/'))}`;
}

function keysPath(repository: string | undefined): string {
  return repository === undefined ? '/user/keys' : `${projectPath(repository)}/deploy_keys`;
}
