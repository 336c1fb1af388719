import type { AuthErrorCode } from '@longshore/contract';
import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import { matchesReadableCode } from '../../secrets/readable-code.ts';
import type { Secret } from '../../secrets/secret.ts';
import { AuthProblem } from '../auth-problem.ts';
import { hasAccounts } from './accounts.ts';

/** Decides whether a user may be created. Every endpoint that creates users calls it. */
export type SignUpPolicy = {
  /** Throws an `AuthProblem` if a sign-up is not allowed now. */
  check(db: Database, setupCode?: Secret): Promise<void>;
  /** Checks, then creates the user. Of several simultaneous sign-ups with the code, one succeeds. */
  createUser<T>(
    db: Database,
    setupCode: Secret | undefined,
    create: (db: Database) => Promise<T>,
  ): Promise<T>;
};

/** For servers that are not exposed, or that have an account already. */
export const openSignUp: SignUpPolicy = {
  check: async () => {},
  createUser: async (db, _, create) => await create(db),
};

/** The first account needs the code; later ones do not. */
export function firstAccountNeedsCode(code: Secret): SignUpPolicy {
  async function check(db: Database, setupCode?: Secret): Promise<void> {
    const problem = setupCodeProblem({
      hasAccounts: await hasAccounts(db),
      code:
        setupCode === undefined ? 'none' : matchesReadableCode(code, setupCode) ? 'right' : 'wrong',
    });
    if (problem !== undefined) throw new AuthProblem(problem);
  }

  return {
    check,
    async createUser(db, setupCode, create) {
      if (setupCode === undefined) {
        // `check` throws if this would be the first account, so no lock is needed.
        await check(db);
        return await create(db);
      }
      return await db.transaction().execute(async (transaction) => {
        await sql`select pg_advisory_xact_lock(hashtextextended('first account', 0))`.execute(
          transaction,
        );
        await check(transaction, setupCode);
        return await create(transaction);
      });
    },
  };
}

type SignUpAttempt = { hasAccounts: boolean; code: 'none' | 'wrong' | 'right' };

/**
 * Once there is an account, a sign-up with a code is refused whether the code is right or wrong: the client expects
 * to create the first account, and the response must not reveal whether the code is right.
 */
export function setupCodeProblem({ hasAccounts, code }: SignUpAttempt): AuthErrorCode | undefined {
  if (hasAccounts) return code === 'none' ? undefined : 'setup-code-used';
  if (code === 'none') return 'setup-code-required';
  return code === 'right' ? undefined : 'invalid-setup-code';
}
