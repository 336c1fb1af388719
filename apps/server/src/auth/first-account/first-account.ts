import type { Database } from '../../db/database.ts';
import type { KeyStore } from '../../secrets/key-store.ts';
import { generateReadableCode } from '../../secrets/readable-code.ts';
import { Secret } from '../../secrets/secret.ts';
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
  keys: KeyStore;
};

/**
 * A code is valid until the server stops: each start generates a new one. Servers that share their keys have the same code,
 * because any of them may get the request.
 */
export async function createFirstAccountSetup(deps: FirstAccountDeps): Promise<FirstAccountSetup> {
  const { db, isExposed, randomBytes, keys } = deps;
  const needsCode = isExposed && !(await hasAccounts(db));
  const setupCode = needsCode ? await createCode() : undefined;
  return {
    setupCode,
    needsSetupCode: async () => setupCode !== undefined && !(await hasAccounts(db)),
  };

  async function createCode(): Promise<Secret> {
    const code = generateReadableCode(randomBytes);
    if (!keys.isShared) return code;
    return new Secret(await keys.loadOrCreate('setup-code', async () => code.reveal()));
  }
}
