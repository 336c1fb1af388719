import { isGitProvider } from '@longshore/contract';
import type { Clock } from '@longshore/edge-contract';
import type { GitProviders } from '../providers/create-git-providers.ts';
import type { Account, GitProvider } from '../providers/git-provider.ts';
import { ProviderFailure } from '../providers/provider-failure.ts';
import { ACCOUNT_SECRET, type SealedSecrets } from '../sealed-secrets.ts';
import { type AccountSecret, parseAccountSecret } from './account-secret.ts';
import type { Integration, Integrations } from './integrations.ts';
import type { RefreshToken } from './token-refresh.ts';

/** Sends requests to code hosts with the account of an integration. */
export type AccountAccess = {
  /**
   * Calls `send` with a valid account. If the provider rejects the token, refreshes it once and calls `send` again; if
   * that fails, sets the integration's state to `reconnect`. Throws a `ProviderFailure`.
   */
  use<T>(integration: Integration, send: SendWithAccount<T>): Promise<T>;
};

export type Accounts = AccountAccess & {
  /** Returns the account for later use. Does not check whether the provider accepts the token. */
  open(integration: Integration): Promise<OpenedAccount>;
};

export type OpenedAccount = { provider: GitProvider; account: Account };

export type SendWithAccount<T> = (provider: GitProvider, account: Account) => Promise<T>;

type AccountsDeps = {
  secrets: SealedSecrets;
  integrations: Integrations;
  gitProviders: GitProviders;
  refreshToken: RefreshToken;
  clock: Pick<Clock, 'now'>;
};

/** A build may take a while between reading the token and using it. */
const REFRESH_BEFORE_EXPIRY_MS = 5 * 60_000;

export function createAccounts(deps: AccountsDeps): Accounts {
  const { secrets, integrations, gitProviders, refreshToken, clock } = deps;
  return {
    use: (integration, send) =>
      markReconnectIfUnauthorized(integration, async () => {
        const result = await sendWithRefresh(integration, send);
        if (integration.values.state === 'reconnect') {
          await integrations.setState(integration.id, 'connected');
        }
        return result;
      }),
    open: (integration) =>
      markReconnectIfUnauthorized(integration, async () => {
        const { provider, secret } = await readAccount(integration);
        return { provider, account: toAccount(secret) };
      }),
  };

  async function markReconnectIfUnauthorized<T>(
    { id }: Integration,
    work: () => Promise<T>,
  ): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (isUnauthorized(error)) await integrations.setState(id, 'reconnect');
      throw error;
    }
  }

  async function sendWithRefresh<T>(
    integration: Integration,
    send: SendWithAccount<T>,
  ): Promise<T> {
    const { provider, secret } = await readAccount(integration);
    try {
      return await send(provider, toAccount(secret));
    } catch (error) {
      // Some providers revoke a token before it expires.
      const refreshed = isUnauthorized(error) ? await refreshToken(integration, secret) : undefined;
      if (refreshed === undefined) throw error;
      return await send(provider, toAccount(refreshed));
    }
  }

  async function readAccount(integration: Integration) {
    const { provider } = integration.values;
    const sealed = await secrets.read(integration.id, ACCOUNT_SECRET);
    if (sealed === undefined || !isGitProvider(provider)) throw new ProviderFailure('not-found');
    const secret = await refreshIfDue(integration, parseAccountSecret(sealed));
    return { provider: gitProviders[provider], secret };
  }

  async function refreshIfDue(
    integration: Integration,
    secret: AccountSecret,
  ): Promise<AccountSecret> {
    const remainingMs = (secret.expiresAt ?? Number.POSITIVE_INFINITY) - clock.now();
    if (remainingMs > REFRESH_BEFORE_EXPIRY_MS) return secret;
    try {
      return (await refreshToken(integration, secret)) ?? secret;
    } catch (error) {
      // The token is still valid for a while; the next call tries to refresh it again.
      if (remainingMs > 0 && !isUnauthorized(error)) return secret;
      throw error;
    }
  }
}

function toAccount({ url, accessToken }: AccountSecret): Account {
  return { url, token: accessToken };
}

function isUnauthorized(error: unknown): boolean {
  return error instanceof ProviderFailure && error.reason === 'unauthorized';
}
