import type { Auth } from '../auth/auth.ts';
import type { AuthApi } from '../auth/auth-api.ts';
import type { SecurityKeys } from '../auth/security-keys.ts';
import type { Address } from '../ports.ts';
import type { Account } from './account.ts';
import { createAccountFlows } from './account-flows.ts';
import { createAsUser } from './as-user.ts';
import { createOwnAccount } from './own-account.ts';
import { createSecondFactor } from './second-factor.ts';
import { createWithKey } from './with-key.ts';
import { createWithProvider } from './with-provider.ts';

export type AccountDeps = {
  /** The auth service. */
  url: string;
  api: AuthApi;
  auth: Pick<Auth, 'state' | 'accessToken' | 'adopt' | 'adoptUser'>;
  securityKeys: SecurityKeys;
  address?: Address | undefined;
};

export function createAccount(deps: AccountDeps): Account {
  const stopping = new AbortController();
  const { signal } = stopping;
  const asUser = createAsUser({ ...deps, signal });
  const flows = createAccountFlows({ ...deps, asUser });
  return {
    ...flows,
    ...createOwnAccount({ ...deps, asUser }),
    ...createSecondFactor(asUser),
    ...createWithKey({ ...deps, asUser, signal }),
    ...createWithProvider({ ...deps, asUser }),
    stop() {
      stopping.abort();
      for (const flow of Object.values(flows)) flow.stop();
    },
  };
}
