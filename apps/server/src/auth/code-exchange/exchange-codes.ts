import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import { meetsChallenge } from './code-challenge.ts';

/** Wire §2.5. */
const LIFETIME_SECONDS = 300;
const CODE_BYTES = 32;

export type ExchangeCodes = {
  issue(userId: string, codeChallenge: string): Promise<string>;
  /** Whose code it is. Good once: whoever asks uses it up, with the right verifier or without. */
  redeem(code: string, codeVerifier: string): Promise<string | undefined>;
  /** What was on its way when the password changed, or when everybody was signed out, does not arrive. */
  voidAll(userId: string): Promise<void>;
};

/** Only hashes are stored. */
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
        .returning(sql<boolean>`expires_at > now()`.as('is_good'))
        .executeTakeFirst();
      if (row === undefined || !row.is_good) return undefined;
      return meetsChallenge(codeVerifier, row.code_challenge) ? row.user_id : undefined;
    },
    async voidAll(userId) {
      await db.deleteFrom('auth.exchange_codes').where('user_id', '=', userId).execute();
    },
  };
}

function hashOf(code: string): Buffer {
  return createHash('sha256').update(code).digest();
}
