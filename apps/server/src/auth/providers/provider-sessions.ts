import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { Seal } from '../../secrets/seal.ts';
import { Secret } from '../../secrets/secret.ts';
import type { ProviderName } from './provider.ts';
import type { ProviderTokens } from './provider-tokens.ts';

type Owner = { userId: string; provider: ProviderName };

/** Tokens issued by providers, encrypted in the database until the client fetches them. */
export type ProviderSessions = {
  /** Encrypts tokens, for `save`. */
  seal(tokens: ProviderTokens): string;
  /** Replaces tokens that were not fetched. */
  save(owner: Owner, sealedTokens: string): Promise<void>;
  /** Returns the tokens once, and deletes them. */
  take(owner: Owner): Promise<ProviderTokens | undefined>;
};

/** Clients fetch the tokens right after the redirect. */
const EXPIRES_AT = sql<Date>`now() + interval '10 minutes'`;

export function createProviderSessions(db: Database, seal: Seal): ProviderSessions {
  return {
    seal: (tokens) => seal.encrypt(new Secret(JSON.stringify(tokens))),
    async save({ userId, provider }, sealedTokens) {
      const values = { sealed_tokens: sealedTokens, expires_at: EXPIRES_AT };
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
        .returning(sql<boolean>`expires_at > now()`.as('is_valid'))
        .executeTakeFirst();
      if (row === undefined || !row.is_valid) return undefined;
      return JSON.parse(seal.decrypt(row.sealed_tokens).reveal()) as ProviderTokens;
    },
  };
}
