import { AUTH_PATHS, clientError, isProviderSession } from '@longshore/contract';
import type { Auth } from '../auth/auth.ts';
import type { AddressBar } from '../ports.ts';
import type { LinkedProviders } from './account.ts';
import { fillPath } from './fill-path.ts';
import { providerUrl } from './provider-url.ts';
import { failure, readData, withoutData } from './read-response.ts';
import type { UserRequests } from './user-requests.ts';

export type LinkedProvidersDeps = {
  /** The auth service. */
  url: string;
  userRequests: UserRequests;
  auth: Pick<Auth, 'accessToken'>;
  addressBar?: AddressBar | undefined;
};

/** Links the user with accounts at sign-in providers. */
export function createLinkedProviders(deps: LinkedProvidersDeps): LinkedProviders {
  const { url, userRequests, auth, addressBar } = deps;
  return {
    async linkIdToken({ provider, idToken, nonce }) {
      return withoutData(
        await userRequests.post(AUTH_PATHS.linkIdToken, { provider, idToken, nonce }),
      );
    },
    async connectProviderUrl(provider, options = {}) {
      const connect = await auth.accessToken();
      if (connect === undefined) return failure(clientError('unauthenticated-user'));
      const href = addressBar?.href();
      const data = providerUrl({ url, provider, options: { ...options, connect }, href });
      return { ok: true, data };
    },
    async takeProviderTokens(provider) {
      const path = fillPath(AUTH_PATHS.providerTokens, provider);
      return readData(await userRequests.get(path), isProviderSession);
    },
    async refreshProviderTokens(provider, refreshToken) {
      const path = fillPath(AUTH_PATHS.refreshProviderTokens, provider);
      return readData(await userRequests.post(path, { refreshToken }), isProviderSession);
    },
  };
}
