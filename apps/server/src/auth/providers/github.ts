import { z } from 'zod';
import { fetchJson } from '../../oauth/bounded-fetch.ts';
import { accountIdField, emailField, nameField, pictureField } from './profile.ts';
import type { Provider, ProviderClient } from './provider.ts';

const PUBLIC_URL = 'https://github.com';

const Account = z.object({
  id: accountIdField,
  login: nameField,
  name: nameField,
  avatar_url: pictureField,
});
/** `null`: none. */
const Emails = z
  .array(z.object({ email: emailField, primary: z.boolean(), verified: z.boolean() }))
  .nullable();

/** GitHub or GitHub Enterprise Server. */
export function github(client: ProviderClient, fetch: typeof globalThis.fetch): Provider {
  // GitHub Enterprise Server has no separate API host.
  const api = client.url === PUBLIC_URL ? 'https://api.github.com' : `${client.url}/api/v3`;
  return {
    scopes: ['read:user', 'user:email'],
    oauthClient: async () => ({
      clientId: client.clientId,
      clientSecret: client.clientSecret,
      authorizationEndpoint: `${client.url}/login/oauth/authorize`,
      tokenEndpoint: `${client.url}/login/oauth/access_token`,
    }),
    async profile({ accessToken }) {
      const headers = { authorization: `Bearer ${accessToken}` };
      const account = Account.parse(await fetchJson(fetch, `${api}/user`, { headers }));
      const emails = Emails.parse(await fetchJson(fetch, `${api}/user/emails`, { headers }));
      const primary = emails?.find((email) => email.primary);
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
