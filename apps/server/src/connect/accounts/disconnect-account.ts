import { isGitProvider } from '@longshore/contract';
import type { IntegrationKeys } from '../keys/integration-keys.ts';
import type { OauthProviders } from '../oauth/oauth-providers.ts';
import type { Account, GitProvider } from '../providers/git-provider.ts';
import type { Hooks } from '../webhooks/hooks.ts';
import type { Accounts } from './accounts.ts';
import type { Integration } from './integrations.ts';

type DisconnectDeps = {
  accounts: Accounts;
  keys: IntegrationKeys;
  hooks: Hooks;
  oauthProviders: OauthProviders;
  logError: (error: unknown) => void;
};

const TIMEOUT_MS = 10_000;

/**
 * Reads the secrets that disconnecting needs while the integration still exists. The returned function disconnects the
 * account at the provider; it is called after the integration was deleted.
 */
export type PrepareDisconnect = (integration: Integration) => Promise<() => Promise<void>>;

/** Removes hooks, SSH key and OAuth token at the provider. Failures are logged and do not stop the deletion. */
export function createPrepareDisconnect(deps: DisconnectDeps): PrepareDisconnect {
  const { accounts, keys, oauthProviders, logError } = deps;

  return async (integration) => {
    const { id, values } = integration;
    const opened = await accounts.open(integration).catch(() => undefined);
    if (opened === undefined || !isGitProvider(values.provider)) return async () => {};
    const { provider, account } = opened;
    const keyId = await keys.registeredId(id);
    const isOauth = values.auth_type === 'oauth';
    const client = oauthProviders.at(values.provider, account.url);
    return async () => {
      await removeHooks(id, provider, account);
      if (keyId !== undefined) {
        await attempt((signal) => provider.removeKey(account, { id: keyId }, signal));
      }
      // Last, because the other requests need the token. A token that the user created is not revoked.
      if (isOauth) await attempt((signal) => provider.revoke(account, client, signal));
    };
  };

  async function removeHooks(
    integrationId: string,
    provider: GitProvider,
    account: Account,
  ): Promise<void> {
    const hooks = await deps.hooks.ofIntegration(integrationId);
    // Concurrently, because the user waits for it.
    const removals = hooks.map(async ({ id: hookId, registration }) => {
      const { repository = '', providerHookId: id = '' } = registration ?? {};
      await attempt((signal) => provider.removeHook(account, { repository, id }, signal));
      await deps.hooks.register(hookId, undefined);
    });
    await Promise.all(removals);
  }

  async function attempt(send: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
    await send(AbortSignal.timeout(TIMEOUT_MS)).catch(logError);
  }
}
