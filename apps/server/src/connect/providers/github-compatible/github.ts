import type { GitProvider } from '../git-provider.ts';
import { type ApiDeps, createProviderApi } from '../provider-api.ts';
import { createGithubCompatibleProvider } from './github-compatible-provider.ts';

const PUBLIC_URL = 'https://github.com';
const API_HEADERS = { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' };

/** github.com or GitHub Enterprise Server (docs.github.com/rest). */
export function createGithub(deps: ApiDeps): GitProvider {
  return createGithubCompatibleProvider(deps, {
    api: apiUrl,
    headers: (token) => ({ ...API_HEADERS, authorization: `Bearer ${token}` }),
    pageSize: { name: 'per_page', max: 100 },
    repositoriesQuery: { sort: 'pushed' },
    hook: (url, secret) => ({
      name: 'web',
      events: ['push'],
      config: { url, secret, content_type: 'json', insecure_ssl: '0' },
    }),
    async revoke({ url, token }, client, signal) {
      if (client === undefined) return 'not-revoked';
      const { clientId, clientSecret } = client;
      const basic = Buffer.from(`${clientId}:${clientSecret.reveal()}`).toString('base64');
      const headers = { ...API_HEADERS, authorization: `Basic ${basic}` };
      const api = createProviderApi(deps, { url: apiUrl(url), headers, token }, signal);
      const path = `/applications/${encodeURIComponent(clientId)}/token`;
      await api.delete(path, { access_token: token.reveal() });
      return 'revoked';
    },
  });
}

/** GitHub Enterprise Server serves its API below its own URL. */
function apiUrl(url: string): string {
  return url === PUBLIC_URL ? 'https://api.github.com' : `${url}/api/v3`;
}
