import type { Database } from '../../db/database.ts';
import { OPEN_SIGN_UP, type SignUpRule } from './sign-up-rule.ts';

export type SignUpSettings = {
  /** The rule of LONGSHORE_SIGN_UP, which cannot be changed at run time. */
  configured: SignUpRule | undefined;
  current(db: Database): Promise<SignUpRule>;
  change(db: Database, rule: SignUpRule): Promise<void>;
};

/** Read from the database at each sign-up, so that a change applies at once. */
export function createSignUpSettings(configured: SignUpRule | undefined): SignUpSettings {
  return {
    configured,
    async current(db) {
      if (configured !== undefined) return configured;
      const stored = await db
        .selectFrom('auth.sign_up_settings')
        .select(['mode', 'domains'])
        .executeTakeFirst();
      return stored ?? OPEN_SIGN_UP;
    },
    async change(db, rule) {
      await db
        .insertInto('auth.sign_up_settings')
        .values(rule)
        .onConflict((conflict) => conflict.column('is_only').doUpdateSet(rule))
        .execute();
    },
  };
}
