import { isGitProvider } from '@longshore/contract';
import type { IntegrationKeys } from '../keys/integration-keys.ts';
import type { OauthProviders } from '../oauth/oauth-providers.ts';
import type { Account, GitProvider } from '../providers/git-provider.ts';
import type { Hooks } from '../webhooks/hooks.ts';
import type { Integration } from './integration.ts';
import type { Accounts } from './open-accounts.ts';

type FarewellDeps = {
  accounts: Accounts;
  keys: IntegrationKeys;
  hooks: Hooks;
  oauthProviders: OauthProviders;
  logError: (error: unknown) => void;
};

const DEADLINE_MS = 10_000;

/** Reads what a goodbye takes while it is there; the goodbye itself follows when the integration is gone. */
export type PrepareFarewell = (integration: Integration) => Promise<() => Promise<void>>;

/** Takes back at the provider what was left there. One that does not answer keeps nobody from leaving. */
export function createFarewell(deps: FarewellDeps): PrepareFarewell {
  const { accounts, keys, oauthProviders, logError } = deps;

  return async (integration) => {
    const { id, values } = integration;
    const opened = await accounts.open(integration).catch(() => undefined);
    if (opened === undefined || !isGitProvider(values.provider)) return async () => {};
    const { provider, account } = opened;
    const keyId = await keys.registeredId(id);
    const isOurs = values.auth_type === 'oauth';
    const client = oauthProviders.at(values.provider, account.url);
    return async () => {
      await removeHooks(id, provider, account);
      if (keyId !== undefined) {
        await bounded((signal) => provider.removeKey(account, { id: keyId }, signal));
      }
      // Last, because the others need it.
      if (isOurs) await bounded((signal) => provider.revoke(account, client, signal));
    };
  };

  async function removeHooks(
    integrationId: string,
    provider: GitProvider,
    account: Account,
  ): Promise<void> {
    const hooks = await deps.hooks.ofIntegration(integrationId);
    // All at once: their owner waits, and would wait for each one in turn.
    const removals = hooks.map(async ({ id: hookId, registration }) => {
      const { repository = '', providerHookId: id = '' } = registration ?? {};
      await bounded((signal) => provider.removeHook(account, { repository, id }, signal));
      await deps.hooks.register(hookId, undefined);
    });
    await Promise.all(removals);
  }

  async function bounded(ask: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
    await ask(AbortSignal.timeout(DEADLINE_MS)).catch(logError);
  }
}
