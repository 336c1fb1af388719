import type { Database } from '../../db/database.ts';
import type { Secret } from '../../secrets/secret.ts';
import { hasAccounts } from './has-accounts.ts';
import { generateSetupCode } from './setup-code.ts';
import { everybody, firstAccountNeedsCode, type SignUpPolicy } from './sign-up-policy.ts';

export type FirstAccount = {
  signUpPolicy: SignUpPolicy;
  /** Only where others can come first. For the terminal, and nowhere else. */
  setupCode: Secret | undefined;
  /** Whether the first account is still to be made, with the code. */
  needsSetupCode(): Promise<boolean>;
};

type FirstAccountDeps = {
  db: Database;
  isExposed: boolean;
  randomBytes: (count: number) => Uint8Array;
};

/** How the first account comes to be. A code lives as long as the server: the next start makes another. */
export async function createFirstAccountSetup(deps: FirstAccountDeps): Promise<FirstAccount> {
  const { db, isExposed, randomBytes } = deps;
  const isAwaited = isExposed && !(await hasAccounts(db));
  const setupCode = isAwaited ? generateSetupCode(randomBytes) : undefined;
  return {
    setupCode,
    signUpPolicy: setupCode === undefined ? everybody : firstAccountNeedsCode(setupCode),
    needsSetupCode: async () => setupCode !== undefined && !(await hasAccounts(db)),
  };
}
