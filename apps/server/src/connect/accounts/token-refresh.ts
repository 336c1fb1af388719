import { isGitProvider } from '@longshore/contract';
import type { KeyedMutex } from '../../concurrency/keyed-semaphore.ts';
import type { Secret } from '../../secrets/secret.ts';
import type { OauthProvider, OauthProviders } from '../oauth/oauth-providers.ts';
import { ACCOUNT_SECRET, type SealedSecrets } from '../sealed-secrets.ts';
import {
  type AccountSecret,
  parseAccountSecret,
  serializeAccountSecret,
} from './account-secret.ts';
import type { Integration } from './integrations.ts';

type TokenRefreshDeps = {
  secrets: SealedSecrets;
  oauthProviders: OauthProviders;
  locks: KeyedMutex;
  refresh(provider: OauthProvider, refreshToken: Secret): Promise<AccountSecret>;
};

/** Undefined if the account has no refresh token. */
export type RefreshToken = (
  integration: Integration,
  expired: AccountSecret,
) => Promise<AccountSecret | undefined>;

/**
 * Refreshes access tokens. A refresh token can be used only once, so concurrent callers with the same expired token
 * share one refresh, and later ones and other servers get the stored result.
 */
export function createTokenRefresh(deps: TokenRefreshDeps): RefreshToken {
  const { secrets, oauthProviders, locks, refresh } = deps;
  const running = new Map<string, Promise<AccountSecret | undefined>>();
  return (integration, expired) => {
    const { id } = integration;
    const refreshing =
      running.get(id) ??
      locks
        .run(`refresh ${id}`, () => refreshAndStore(integration, expired))
        .finally(() => running.delete(id));
    running.set(id, refreshing);
    return refreshing;
  };

  async function refreshAndStore(
    { id, values }: Integration,
    expired: AccountSecret,
  ): Promise<AccountSecret | undefined> {
    const sealed = await secrets.read(id, ACCOUNT_SECRET);
    if (sealed === undefined || !isGitProvider(values.provider)) return undefined;
    const stored = parseAccountSecret(sealed);
    if (!stored.accessToken.equals(expired.accessToken.reveal())) return stored;
    const provider = oauthProviders.at(values.provider, stored.url);
    if (stored.refreshToken === undefined || provider === undefined) return undefined;
    const refreshed = await refresh(provider, stored.refreshToken);
    // Without a new refresh token in the response, the old one stays valid.
    const next = { ...refreshed, refreshToken: refreshed.refreshToken ?? stored.refreshToken };
    await secrets.store(id, ACCOUNT_SECRET, serializeAccountSecret(next));
    return next;
  }
}
