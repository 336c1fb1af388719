import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Database } from '../../db/database.ts';

/** The lifetime of a challenge, and the timeout of the browser's dialog. */
export const CHALLENGE_SECONDS = 60;

export type ChallengePurpose =
  | 'webauthn-sign-up'
  | 'webauthn-sign-in'
  | 'webauthn-add'
  | 'webauthn-elevate';

export type Challenge = {
  purpose: ChallengePurpose;
  /** Undefined: the security key identifies the user. */
  userId?: string | undefined;
  details?: Record<string, unknown>;
};

export type Redeemed = { challenge: string; userId: string | null; details: unknown };

export type Challenges = {
  /** Returns a random value for a security key to sign. */
  issue(challenge: Challenge): Promise<string>;
  /** Valid once: redeeming deletes it, even if it has expired. */
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
        .returning(sql<boolean>`expires_at > now()`.as('is_valid'))
        .executeTakeFirst();
      if (row === undefined || !row.is_valid || row.purpose !== purpose) return undefined;
      return { challenge, userId: row.user_id, details: row.details };
    },
  };
}

const ClientData = z.object({ challenge: z.string().regex(/^[A-Za-z0-9_-]{43}$/) });

/** The challenge in a security key's response. Undefined if it does not have the format of an issued one. */
export function challengeOfClientData(clientDataJson: string): string | undefined {
  try {
    const text = Buffer.from(clientDataJson, 'base64url').toString('utf8');
    return ClientData.safeParse(JSON.parse(text)).data?.challenge;
  } catch {
    return undefined;
  }
}
