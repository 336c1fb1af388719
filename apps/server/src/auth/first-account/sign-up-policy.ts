import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { Secret } from '../../secrets/secret.ts';
import { AuthProblem } from '../auth-problem.ts';
import { hasAccounts } from './has-accounts.ts';
import { setupCodeProblem } from './judge-newcomer.ts';
import { matchesSetupCode } from './setup-code.ts';

/** Who may become a user. Whatever makes one asks here. */
export type SignUpPolicy = {
  /** Refuses whoever may not be added now. */
  check(db: Database, given?: Secret): Promise<void>;
  /** Adds a user who may be added. Of several who bring the code at once, one is the first. */
  admit<T>(db: Database, given: Secret | undefined, add: Add<T>): Promise<T>;
};

type Add<T> = (db: Database) => Promise<T>;

/** Where nobody else can come first, or somebody has. */
export const everybody: SignUpPolicy = {
  check: async () => {},
  admit: async (db, _, add) => await add(db),
};

/** The first account takes the code; later ones take none. */
export function firstAccountNeedsCode(code: Secret): SignUpPolicy {
  async function check(db: Database, given?: Secret): Promise<void> {
    const problem = setupCodeProblem({
      hasAccounts: await hasAccounts(db),
      code: verdictOn(given),
    });
    if (problem !== undefined) throw new AuthProblem(problem);
  }

  function verdictOn(given: Secret | undefined) {
    if (given === undefined) return 'none';
    return matchesSetupCode(code, given) ? 'right' : 'wrong';
  }

  return {
    check,
    async admit(db, given, add) {
      if (given === undefined) {
        // Never the first, so there is nobody to take turns with.
        await check(db);
        return await add(db);
      }
      return await db.transaction().execute(async (transaction) => {
        await sql`select pg_advisory_xact_lock(hashtextextended('first account', 0))`.execute(
          transaction,
        );
        await check(transaction, given);
        return await add(transaction);
      });
    },
  };
}
