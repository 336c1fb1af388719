import { isGitProvider } from '@longshore/contract';
import type { Clock } from '../../schedule/clock.ts';
import type { GitProviders } from '../providers/create-git-providers.ts';
import type { Account, GitProvider } from '../providers/git-provider.ts';
import { ProviderFailure } from '../providers/provider-failure.ts';
import type { SealedSecrets } from '../secrets/sealed-secrets.ts';
import { ACCOUNT, type AccountSecret, fromSecret } from './account-secret.ts';
import type { Integration } from './integration.ts';
import type { Integrations } from './integrations.ts';

/** Lets the rest of the service ask code hosts in the name of an integration. */
export type OpenAccounts = {
  /**
   * Hands over the provider and an account whose token is good for a while. A token that the provider takes no longer is
   * renewed once, and otherwise the integration waits to be connected again. Throws a `ProviderFailure`.
   */
  use<T>(integration: Integration, ask: Ask<T>): Promise<T>;
};

export type Accounts = OpenAccounts & {
  /** The same for who does not ask the provider here and now, and learns nothing of the token by it. */
  open(integration: Integration): Promise<Opened>;
};

export type Opened = { provider: GitProvider; account: Account };

export type Ask<T> = (provider: GitProvider, account: Account) => Promise<T>;

type AccountDeps = {
  secrets: SealedSecrets;
  integrations: Integrations;
  gitProviders: GitProviders;
  /** Undefined: this account cannot be renewed. */
  renew(integration: Integration, spent: AccountSecret): Promise<AccountSecret | undefined>;
  clock: Pick<Clock, 'now'>;
};

/** A build may take a while between reading the token and using it. */
const RENEWED_BEFORE_MS = 5 * 60_000;

export function createOpenAccounts(deps: AccountDeps): Accounts {
  const { secrets, integrations, gitProviders, renew, clock } = deps;
  return {
    use: (integration, ask) =>
      noticed(integration, async () => {
        const answer = await asked(integration, ask);
        if (integration.values.state === 'reconnect') {
          await integrations.setState(integration.id, 'connected');
        }
        return answer;
      }),
    open: (integration) =>
      noticed(integration, async () => {
        const { provider, secret } = await stored(integration);
        return { provider, account: accountOf(secret) };
      }),
  };

  async function noticed<T>({ id }: Integration, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (isUnauthorized(error)) await integrations.setState(id, 'reconnect');
      throw error;
    }
  }

  async function asked<T>(integration: Integration, ask: Ask<T>): Promise<T> {
    const { provider, secret } = await stored(integration);
    try {
      return await ask(provider, accountOf(secret));
    } catch (error) {
      // Some forget a token before its time.
      const newer = isUnauthorized(error) ? await renew(integration, secret) : undefined;
      if (newer === undefined) throw error;
      return await ask(provider, accountOf(newer));
    }
  }

  async function stored(integration: Integration) {
    const { provider } = integration.values;
    const sealed = await secrets.read(integration.id, ACCOUNT);
    if (sealed === undefined || !isGitProvider(provider)) throw new ProviderFailure('not-found');
    const secret = await current(integration, fromSecret(sealed));
    return { provider: gitProviders[provider], secret };
  }

  async function current(integration: Integration, account: AccountSecret): Promise<AccountSecret> {
    const leftMs = (account.expiresAt ?? Number.POSITIVE_INFINITY) - clock.now();
    if (leftMs > RENEWED_BEFORE_MS) return account;
    try {
      return (await renew(integration, account)) ?? account;
    } catch (error) {
      // It is good for a little while yet; the next who asks tries again.
      if (leftMs > 0 && !isUnauthorized(error)) return account;
      throw error;
    }
  }
}

function accountOf({ url, accessToken }: AccountSecret): Account {
  return { url, token: accessToken };
}

function isUnauthorized(error: unknown): boolean {
  return error instanceof ProviderFailure && error.reason === 'unauthorized';
}
