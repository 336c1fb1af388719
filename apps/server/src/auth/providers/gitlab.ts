import { askProvider } from './ask-provider.ts';
import { profileOfClaims } from './claims.ts';
import type { Provider, ProviderClient } from './provider.ts';

/** GitLab, or one's own. Its account endpoint says of the address whether it is verified. */
export function gitlab(client: ProviderClient, fetch: typeof globalThis.fetch): Provider {
  return {
    client,
    scopes: ['openid', 'profile', 'email'],
    endpoints: async () => ({
      authorization: `${client.url}/oauth/authorize`,
      token: `${client.url}/oauth/token`,
    }),
    async profile(tokens) {
      const headers = { authorization: `Bearer ${tokens.accessToken()}` };
      return profileOfClaims(await askProvider(fetch, `${client.url}/oauth/userinfo`, { headers }));
    },
  };
}
