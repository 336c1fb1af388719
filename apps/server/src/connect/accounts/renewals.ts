import { isGitProvider } from '@longshore/contract';
import type { Secret } from '../../secrets/secret.ts';
import type { OauthProvider, OauthProviders } from '../oauth/oauth-providers.ts';
import type { SealedSecrets } from '../secrets/sealed-secrets.ts';
import { ACCOUNT, type AccountSecret, fromSecret, toSecret } from './account-secret.ts';
import type { Integration } from './integration.ts';

type RenewalDeps = {
  secrets: SealedSecrets;
  oauthProviders: OauthProviders;
  refresh(provider: OauthProvider, refreshToken: Secret): Promise<AccountSecret>;
};

type Renew = (integration: Integration, spent: AccountSecret) => Promise<AccountSecret | undefined>;

/**
 * Trades refresh tokens for newer ones. They are good once, so that all who find the same token spent share one
 * renewal, and who comes later gets what is kept by then.
 */
export function createRenewals({ secrets, oauthProviders, refresh }: RenewalDeps): Renew {
  const running = new Map<string, Promise<AccountSecret | undefined>>();
  return (integration, spent) => {
    const { id } = integration;
    const renewal =
      running.get(id) ?? renewed(integration, spent).finally(() => running.delete(id));
    running.set(id, renewal);
    return renewal;
  };

  async function renewed(
    { id, values }: Integration,
    spent: AccountSecret,
  ): Promise<AccountSecret | undefined> {
    const stored = await secrets.read(id, ACCOUNT);
    if (stored === undefined || !isGitProvider(values.provider)) return undefined;
    const kept = fromSecret(stored);
    if (!kept.accessToken.equals(spent.accessToken.reveal())) return kept;
    const provider = oauthProviders.at(values.provider, kept.url);
    if (kept.refreshToken === undefined || provider === undefined) return undefined;
    const fresh = await refresh(provider, kept.refreshToken);
    // A provider that hands out no other refresh token means the same one.
    const next = { ...fresh, refreshToken: fresh.refreshToken ?? kept.refreshToken };
    await secrets.keep(id, ACCOUNT, toSecret(next));
    return next;
  }
}
