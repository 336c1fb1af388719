import type { GitProvider } from '../git-provider.ts';
import type { ApiDeps } from '../provider-api.ts';
import { createHubProvider } from './hub-provider.ts';

/** Gitea or Forgejo, which always is somebody's own. docs.gitea.com/api */
export function createGitea(deps: ApiDeps): GitProvider {
  return createHubProvider(deps, {
    api: (url) => `${url}/api/v1`,
    headers: (token) => ({ authorization: `token ${token}` }),
    // More are refused by most of them.
    pageSize: { name: 'limit', max: 50 },
    repositories: {},
    hook: (url, secret) => ({
      type: 'gitea',
      active: true,
      events: ['push'],
      config: { url, secret, content_type: 'json' },
    }),
    // Its tokens are deleted with a password only.
    revoke: async () => 'kept',
  });
}
