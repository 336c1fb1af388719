import { AUTH_PATHS, clientError, isProviderSession } from '@longshore/contract';
import type { Auth } from '../auth/auth.ts';
import type { Address } from '../ports.ts';
import type { WithProvider } from './account.ts';
import { done, readAnswer, refused } from './answer.ts';
import type { AsUser } from './as-user.ts';
import { pathTo } from './path-to.ts';
import { providerUrl } from './provider-url.ts';

export type WithProviderDeps = {
  /** The auth service. */
  url: string;
  asUser: AsUser;
  auth: Pick<Auth, 'accessToken'>;
  address?: Address | undefined;
};

/** What joins this account with one elsewhere. Spec §7. */
export function createWithProvider(deps: WithProviderDeps): WithProvider {
  const { url, asUser, auth, address } = deps;
  return {
    async linkIdToken({ provider, idToken, nonce }) {
      return done(await asUser.post(AUTH_PATHS.linkIdToken, { provider, idToken, nonce }));
    },
    async connectProviderUrl(provider, options = {}) {
      const connect = await auth.accessToken();
      if (connect === undefined) return refused(clientError('unauthenticated-user'));
      const wish = { url, provider, options: { ...options, connect }, href: address?.href() };
      return { ok: true, data: providerUrl(wish) };
    },
    async takeProviderTokens(provider) {
      const path = pathTo(AUTH_PATHS.providerTokens, provider);
      return readAnswer(await asUser.get(path), isProviderSession);
    },
    async refreshProviderTokens(provider, refreshToken) {
      const path = pathTo(AUTH_PATHS.refreshProviderTokens, provider);
      return readAnswer(await asUser.post(path, { refreshToken }), isProviderSession);
    },
  };
}
