import { fetchJson } from '../../oauth/bounded-fetch.ts';
import { profileOfClaims } from './profile.ts';
import type { Provider, ProviderClient } from './provider.ts';

/** GitLab.com or a self-managed GitLab. */
export function gitlab(client: ProviderClient, fetch: typeof globalThis.fetch): Provider {
  return {
    scopes: ['openid', 'profile', 'email'],
    oauthClient: async () => ({
      clientId: client.clientId,
      clientSecret: client.clientSecret,
      authorizationEndpoint: `${client.url}/oauth/authorize`,
      tokenEndpoint: `${client.url}/oauth/token`,
    }),
    async profile({ accessToken }) {
      const headers = { authorization: `Bearer ${accessToken}` };
      // Unlike the user API, this endpoint states whether the e-mail address is verified.
      return profileOfClaims(await fetchJson(fetch, `${client.url}/oauth/userinfo`, { headers }));
    },
  };
}
