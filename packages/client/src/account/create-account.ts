import type { Auth } from '../auth/auth.ts';
import { type AuthApi, type AuthApiDeps, createAuthApi } from '../auth/auth-api.ts';
import { browserSecurityKeys } from '../browser/browser-ports.ts';
import type { AddressBar, SecurityKeys } from '../ports.ts';
import type { Account } from './account.ts';
import { createAccountFlows } from './account-flows.ts';
import { createAccountSettings } from './account-settings.ts';
import { createLinkedProviders } from './linked-providers.ts';
import { createProofs } from './proofs.ts';
import { createSecurityKeyActions } from './security-key-actions.ts';
import { createUserRequests } from './user-requests.ts';

export type AccountDeps = {
  /** The auth service. */
  url: string;
  api: AuthApi;
  auth: Pick<Auth, 'state' | 'accessToken' | 'adoptSession' | 'updateUser'>;
  securityKeys: SecurityKeys;
  addressBar?: AddressBar | undefined;
};

export type OpenAccountDeps = AuthApiDeps &
  Pick<AccountDeps, 'auth' | 'addressBar'> & { securityKeys?: SecurityKeys | undefined };

export function openAccount(deps: OpenAccountDeps): Account {
  const { url, auth, addressBar, securityKeys = browserSecurityKeys } = deps;
  return createAccount({ url, api: createAuthApi(deps), auth, securityKeys, addressBar });
}

export function createAccount(deps: AccountDeps): Account {
  const { url, api, auth, securityKeys, addressBar } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const userRequests = createUserRequests({ api, auth, signal });
  const flows = createAccountFlows({ api, userRequests, addressBar });
  return {
    ...flows,
    ...createAccountSettings({ userRequests, auth }),
    ...createSecurityKeyActions({ auth, securityKeys, userRequests, signal }),
    ...createProofs({ securityKeys, userRequests, signal }),
    ...createLinkedProviders({ url, userRequests, auth, addressBar }),
    stop() {
      stopping.abort();
      for (const flow of Object.values(flows)) flow.stop();
    },
  };
}
