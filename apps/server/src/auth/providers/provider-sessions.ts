import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { Seal } from '../../secrets/seal.ts';
import { Secret } from '../../secrets/secret.ts';
import type { ProviderName } from './provider.ts';
import type { ProviderTokens } from './provider-tokens.ts';

type Owner = { userId: string; provider: ProviderName };

export type ProviderSessions = {
  /** Newer tokens replace those that nobody fetched. */
  keep(owner: Owner, tokens: ProviderTokens): Promise<void>;
  /** Hands them out once. */
  take(owner: Owner): Promise<ProviderTokens | undefined>;
};

/** Clients fetch them right after the redirect; unfetched ones are not kept for a thief. */
const KEPT_FOR = sql<Date>`now() + interval '10 minutes'`;

/** What providers handed out, sealed: whoever reads the database learns nothing. */
export function createProviderSessions(db: Database, seal: Seal): ProviderSessions {
  return {
    async keep({ userId, provider }, tokens) {
      const values = {
        sealed_tokens: seal.close(new Secret(JSON.stringify(tokens))),
        expires_at: KEPT_FOR,
      };
      await db
        .insertInto('auth.provider_sessions')
        .values({ user_id: userId, provider, ...values })
        .onConflict((conflict) => conflict.columns(['user_id', 'provider']).doUpdateSet(values))
        .execute();
    },
    async take({ userId, provider }) {
      const row = await db
        .deleteFrom('auth.provider_sessions')
        .where('user_id', '=', userId)
        .where('provider', '=', provider)
        .returning('sealed_tokens')
        .returning(sql<boolean>`expires_at > now()`.as('is_good'))
        .executeTakeFirst();
      if (row === undefined || !row.is_good) return undefined;
      return JSON.parse(seal.open(row.sealed_tokens).reveal()) as ProviderTokens;
    },
  };
}
