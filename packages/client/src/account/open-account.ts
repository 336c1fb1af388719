import { type AuthApiDeps, createAuthApi } from '../auth/auth-api.ts';
import type { SecurityKeys } from '../auth/security-keys.ts';
import { browserSecurityKeys } from '../browser/browser-security-keys.ts';
import type { Account } from './account.ts';
import { type AccountDeps, createAccount } from './create-account.ts';

export type OpenAccountDeps = AuthApiDeps &
  Pick<AccountDeps, 'auth' | 'address'> & { securityKeys?: SecurityKeys };

export function openAccount(deps: OpenAccountDeps): Account {
  const { securityKeys = browserSecurityKeys } = deps;
  return createAccount({ ...deps, api: createAuthApi(deps), securityKeys });
}
