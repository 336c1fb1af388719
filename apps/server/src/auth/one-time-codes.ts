import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import type { Secret } from '../secrets/secret.ts';

/** Delivery channels, with the lifetime of a code in seconds. */
export const CODE_LIFETIMES = { email: 600, sms: 300 } as const;

export type CodeChannel = keyof typeof CODE_LIFETIMES;

export type CodeVerdict = 'valid' | 'wrong' | 'too-many-attempts';

/** A code is bound to a user and to the address or phone number that it is sent to. */
export type CodeRecipient = {
  userId: string;
  channel: CodeChannel;
  to: string;
  /** If set, the code proves identity in this session and does not sign in. */
  sessionId?: string;
};

export type OneTimeCodes = {
  /** Replaces the earlier code of the same channel: the user's, or the session's. */
  issue(recipient: CodeRecipient): Promise<string>;
  /** Valid once. An unknown user takes the same time as a wrong code. */
  redeem(
    recipient: Omit<CodeRecipient, 'userId'> & { userId: string | undefined },
    code: string,
  ): Promise<CodeVerdict>;
};

const CODE_DIGITS = 6;
const MAX_ATTEMPTS = 5;
const UNKNOWN_USER = '00000000-0000-0000-0000-000000000000';

/** Hashes of six digits are easy to reverse, so they are keyed, and the key is not in the database. */
export function createOneTimeCodes(db: Database, key: Secret): OneTimeCodes {
  return {
    async issue(recipient) {
      const { userId, channel, sessionId } = recipient;
      const code = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
      const values = {
        code_hash: hashOf(recipient, code),
        attempts: 0,
        expires_at: sql<Date>`now() + make_interval(secs => ${CODE_LIFETIMES[channel]})`,
      };
      await db
        .insertInto('auth.one_time_codes')
        .values({ user_id: userId, channel, session_id: sessionId ?? null, ...values })
        .onConflict((conflict) =>
          (sessionId === undefined
            ? conflict.columns(['user_id', 'channel']).where('session_id', 'is', null)
            : conflict.columns(['session_id', 'channel']).where('session_id', 'is not', null)
          ).doUpdateSet(values),
        )
        .execute();
      return code;
    },
    async redeem({ userId = UNKNOWN_USER, ...delivery }, code) {
      const { channel, sessionId = null } = delivery;
      const hash = hashOf({ userId, ...delivery }, code.replaceAll(/\s/g, ''));
      // Counted before the comparison, so that simultaneous attempts count as well.
      const counted = await db
        .updateTable('auth.one_time_codes')
        .set({ attempts: sql<number>`least(attempts + 1, ${MAX_ATTEMPTS + 1})` })
        .where('user_id', '=', userId)
        .where('channel', '=', channel)
        .where('session_id', 'is not distinct from', sessionId)
        .where('expires_at', '>', sql<Date>`now()`)
        .returning(['attempts', 'code_hash'])
        .executeTakeFirst();
      if (counted === undefined) return 'wrong';
      if (counted.attempts > MAX_ATTEMPTS) return 'too-many-attempts';
      if (!timingSafeEqual(counted.code_hash, hash)) return 'wrong';
      const { numDeletedRows } = await db
        .deleteFrom('auth.one_time_codes')
        .where('user_id', '=', userId)
        .where('channel', '=', channel)
        .where('session_id', 'is not distinct from', sessionId)
        .where('code_hash', '=', hash)
        .executeTakeFirstOrThrow();
      return numDeletedRows === 1n ? 'valid' : 'wrong';
    },
  };

  function hashOf({ userId, channel, to, sessionId }: CodeRecipient, code: string): Buffer {
    return (
      createHmac('sha256', key.reveal())
        // Undefined is left out, so that the codes of sign-ins keep their form.
        .update(
          JSON.stringify(['one-time-code', userId, channel, to, code].concat(sessionId ?? [])),
        )
        .digest()
    );
  }
}
