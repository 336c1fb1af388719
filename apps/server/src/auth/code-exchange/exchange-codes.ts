import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import { matchesChallenge } from './code-challenge.ts';

const LIFETIME_SECONDS = 300;
const CODE_BYTES = 32;

export type ExchangeCodes = {
  issue(userId: string, codeChallenge: string): Promise<string>;
  /** Returns the user's id. Valid once: redeeming deletes the code, even with a wrong verifier. */
  redeem(code: string, codeVerifier: string): Promise<string | undefined>;
  /** Called when the password changes or all sessions end, so that pending codes stop working. */
  revokeAll(userId: string): Promise<void>;
};

/** The database holds only hashes. */
export function createExchangeCodes(db: Database): ExchangeCodes {
  return {
    async issue(userId, codeChallenge) {
      const code = randomBytes(CODE_BYTES).toString('base64url');
      await db
        .insertInto('auth.exchange_codes')
        .values({
          code_hash: hashOf(code),
          user_id: userId,
          code_challenge: codeChallenge,
          expires_at: sql<Date>`now() + make_interval(secs => ${LIFETIME_SECONDS})`,
        })
        .execute();
      return code;
    },
    async redeem(code, codeVerifier) {
      const row = await db
        .deleteFrom('auth.exchange_codes')
        .where('code_hash', '=', hashOf(code))
        .returning(['user_id', 'code_challenge'])
        .returning(sql<boolean>`expires_at > now()`.as('is_valid'))
        .executeTakeFirst();
      if (row === undefined || !row.is_valid) return undefined;
      return matchesChallenge(codeVerifier, row.code_challenge) ? row.user_id : undefined;
    },
    async revokeAll(userId) {
      await db.deleteFrom('auth.exchange_codes').where('user_id', '=', userId).execute();
    },
  };
}

function hashOf(code: string): Buffer {
  return createHash('sha256').update(code).digest();
}
