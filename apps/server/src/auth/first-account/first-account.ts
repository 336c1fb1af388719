import type { Database } from '../../db/database.ts';
import { generateReadableCode } from '../../secrets/readable-code.ts';
import type { Secret } from '../../secrets/secret.ts';
import { hasAccounts } from './accounts.ts';

export type FirstAccountSetup = {
  /** Defined only if the server is exposed and has no account. Printed to the terminal and nowhere else. */
  setupCode: Secret | undefined;
  /** Whether there is no account yet and creating one requires the code. */
  needsSetupCode(): Promise<boolean>;
};

type FirstAccountDeps = {
  db: Database;
  isExposed: boolean;
  randomBytes: (count: number) => Uint8Array;
};

/** A code is valid until the server stops: each start generates a new one. */
export async function createFirstAccountSetup(deps: FirstAccountDeps): Promise<FirstAccountSetup> {
  const { db, isExposed, randomBytes } = deps;
  const needsCode = isExposed && !(await hasAccounts(db));
  const setupCode = needsCode ? generateReadableCode(randomBytes) : undefined;
  return {
    setupCode,
    needsSetupCode: async () => setupCode !== undefined && !(await hasAccounts(db)),
  };
}
