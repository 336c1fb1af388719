import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';

/** Wire §2.5; also the time a person has, as the options say it. */
export const CHALLENGE_SECONDS = 60;

export type ChallengePurpose =
  | 'webauthn-sign-up'
  | 'webauthn-sign-in'
  | 'webauthn-add'
  | 'webauthn-elevate';

export type Challenge = {
  purpose: ChallengePurpose;
  /** Nobody: whoever owns the key that answers. */
  userId?: string | undefined;
  details?: Record<string, unknown>;
};

export type Redeemed = { challenge: string; userId: string | null; details: unknown };

export type Challenges = {
  /** Something new for a security key to sign. */
  issue(challenge: Challenge): Promise<string>;
  /** Good once: whoever asks uses it up, whatever comes of it. */
  redeem(challenge: string, purpose: ChallengePurpose): Promise<Redeemed | undefined>;
};

const CHALLENGE_BYTES = 32;

export function createChallenges(db: Database): Challenges {
  return {
    async issue({ purpose, userId, details = {} }) {
      const challenge = randomBytes(CHALLENGE_BYTES).toString('base64url');
      await db
        .insertInto('auth.challenges')
        .values({
          challenge,
          purpose,
          user_id: userId ?? null,
          details: JSON.stringify(details),
          expires_at: sql<Date>`now() + make_interval(secs => ${CHALLENGE_SECONDS})`,
        })
        .execute();
      return challenge;
    },
    async redeem(challenge, purpose) {
      const row = await db
        .deleteFrom('auth.challenges')
        .where('challenge', '=', challenge)
        .returning(['purpose', 'user_id', 'details'])
        .returning(sql<boolean>`expires_at > now()`.as('is_good'))
        .executeTakeFirst();
      if (row === undefined || !row.is_good || row.purpose !== purpose) return undefined;
      return { challenge, userId: row.user_id, details: row.details };
    },
  };
}
