import { createHash, createHmac, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { OauthProviderName } from './oauth-providers.ts';

type Browser = { browserKey: string };
type Attempt = Browser & { userId: string; provider: OauthProviderName };

/**
 * OAuth sign-ins in progress. A ticket starts one and a state completes it, each once and only in the browser that got
 * the ticket: with another user's ticket or state, a browser would connect its account to that user (login CSRF).
 */
export type Attempts = {
  issueTicket(attempt: Attempt): Promise<string>;
  /** Redeems a ticket. Returns the state for the provider. */
  start(ticket: string, attempt: Omit<Attempt, 'userId'>): Promise<string | undefined>;
  /** Returns the user who started the sign-in. The state is used up in any case. */
  complete(
    state: string,
    attempt: Omit<Attempt, 'userId'>,
  ): Promise<{ userId: string } | undefined>;
  removeExpired(): Promise<void>;
};

const TICKET_SECONDS = 60;
/** Enough to sign in at the provider with a second factor. */
const STATE_SECONDS = 600;
const VALUE_BYTES = 32;

export function createAttempts(db: Database): Attempts {
  return {
    async issueTicket({ userId, provider, browserKey }) {
      const ticket = randomValue();
      await db
        .insertInto('connect.attempts')
        .values({
          user_id: userId,
          provider,
          browser_hash: hashOf(browserKey),
          ticket_hash: hashOf(ticket),
          expires_at: inSeconds(TICKET_SECONDS),
        })
        .execute();
      return ticket;
    },
    async start(ticket, { provider, browserKey }) {
      const state = randomValue();
      const started = await db
        .updateTable('connect.attempts')
        .set({
          ticket_hash: null,
          state_hash: hashOf(state),
          expires_at: inSeconds(STATE_SECONDS),
        })
        .where('ticket_hash', '=', hashOf(ticket))
        .where('provider', '=', provider)
        .where('browser_hash', '=', hashOf(browserKey))
        .where('expires_at', '>', NOW)
        .returning('id')
        .executeTakeFirst();
      return started && state;
    },
    async complete(state, { provider, browserKey }) {
      const attempt = await db
        .deleteFrom('connect.attempts')
        .where('state_hash', '=', hashOf(state))
        .returning(['user_id', 'provider', 'browser_hash'])
        .returning(sql<boolean>`expires_at > now()`.as('is_valid'))
        .executeTakeFirst();
      const isMatch =
        attempt?.is_valid &&
        attempt.provider === provider &&
        attempt.browser_hash.equals(hashOf(browserKey));
      return isMatch ? { userId: attempt.user_id } : undefined;
    },
    async removeExpired() {
      await db.deleteFrom('connect.attempts').where('expires_at', '<', NOW).execute();
    },
  };
}

/** The PKCE verifier. It is derived from the browser's key and the state, so it need not be stored. */
export function verifierOf({ browserKey }: Browser, state: string): string {
  return createHmac('sha256', browserKey).update(state).digest('base64url');
}

export function randomValue(): string {
  return randomBytes(VALUE_BYTES).toString('base64url');
}

const NOW = sql<Date>`now()`;

function inSeconds(seconds: number) {
  return sql<Date>`now() + make_interval(secs => ${seconds})`;
}

function hashOf(value: string): Buffer {
  return createHash('sha256').update(value).digest();
}
