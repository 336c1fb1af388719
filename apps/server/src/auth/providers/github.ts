import { z } from 'zod';
import { askProvider } from './ask-provider.ts';
import { accountIdField, emailOrNone, nameOrNone, pictureOrNone } from './profile-fields.ts';
import type { Provider, ProviderClient } from './provider.ts';

const PUBLIC_URL = 'https://github.com';

const Account = z.object({
  id: accountIdField,
  login: nameOrNone,
  name: nameOrNone,
  avatar_url: pictureOrNone,
});
const Addresses = z.array(
  z.object({ email: emailOrNone, primary: z.boolean(), verified: z.boolean() }),
);

/** GitHub, or a GitHub Enterprise of one's own. */
export function github(client: ProviderClient, fetch: typeof globalThis.fetch): Provider {
  // An Enterprise server has its API below its own address.
  const api = client.url === PUBLIC_URL ? 'https://api.github.com' : `${client.url}/api/v3`;
  return {
    client,
    scopes: ['read:user', 'user:email'],
    endpoints: async () => ({
      authorization: `${client.url}/login/oauth/authorize`,
      token: `${client.url}/login/oauth/access_token`,
    }),
    async profile(tokens) {
      const headers = { authorization: `Bearer ${tokens.accessToken()}` };
      const account = Account.parse(await askProvider(fetch, `${api}/user`, { headers }));
      const addresses = Addresses.parse(
        await askProvider(fetch, `${api}/user/emails`, { headers }),
      );
      const primary = addresses.find((address) => address.primary);
      return {
        accountId: account.id,
        email: primary?.email,
        isEmailVerified: primary?.verified ?? false,
        displayName: account.name ?? account.login,
        avatarUrl: account.avatar_url,
      };
    },
  };
}
