import type { GitProvider } from '../git-provider.ts';
import { type ApiDeps, createProviderApi } from '../provider-api.ts';
import { createHubProvider } from './hub-provider.ts';

const PUBLIC_URL = 'https://github.com';
const VERSION = { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' };

/** GitHub, or a GitHub Enterprise of one's own. docs.github.com/rest */
export function createGithub(deps: ApiDeps): GitProvider {
  return createHubProvider(deps, {
    api: apiUrl,
    headers: (token) => ({ ...VERSION, authorization: `Bearer ${token}` }),
    pageSize: { name: 'per_page', max: 100 },
    repositories: { sort: 'pushed' },
    hook: (url, secret) => ({
      name: 'web',
      events: ['push'],
      config: { url, secret, content_type: 'json', insecure_ssl: '0' },
    }),
    async revoke({ url, token }, client, signal) {
      if (client === undefined) return 'kept';
      const { clientId, clientSecret } = client;
      const basic = Buffer.from(`${clientId}:${clientSecret.reveal()}`).toString('base64');
      const headers = { ...VERSION, authorization: `Basic ${basic}` };
      const api = createProviderApi(deps, { url: apiUrl(url), headers, token }, signal);
      const path = `/applications/${encodeURIComponent(clientId)}/token`;
      await api.delete(path, { access_token: token.reveal() });
      return 'revoked';
    },
  });
}

/** An Enterprise server has its API below its own address. */
function apiUrl(url: string): string {
  return url === PUBLIC_URL ? 'https://api.github.com' : `${url}/api/v3`;
}
