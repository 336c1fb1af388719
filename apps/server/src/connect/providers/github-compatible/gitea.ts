import type { GitProvider } from '../git-provider.ts';
import type { ApiDeps } from '../provider-api.ts';
import { createGithubCompatibleProvider } from './github-compatible-provider.ts';

/** Gitea and Forgejo, which are always self-hosted (docs.gitea.com/api). */
export function createGitea(deps: ApiDeps): GitProvider {
  return createGithubCompatibleProvider(deps, {
    api: (url) => `${url}/api/v1`,
    headers: (token) => ({ authorization: `token ${token}` }),
    // The default maximum of Gitea servers.
    pageSize: { name: 'limit', max: 50 },
    repositoriesQuery: {},
    hook: (url, secret) => ({
      type: 'gitea',
      active: true,
      events: ['push'],
      config: { url, secret, content_type: 'json' },
    }),
    // Tokens can only be deleted with the user's password.
    revoke: async () => 'not-revoked',
  });
}
