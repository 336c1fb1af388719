import { createHash, createHmac, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { OauthProviderName } from './oauth-providers.ts';

type Browser = { browserKey: string };
type Attempt = Browser & { userId: string; provider: OauthProviderName };

/**
 * Ways of browsers to a provider and back. A ticket lets a browser leave and a state lets it return, each once, and only
 * the browser that asked for the ticket: with somebody else's, it would connect its own account to a stranger's user.
 */
export type Attempts = {
  issueTicket(attempt: Attempt): Promise<string>;
  /** Answers the state to leave with. */
  leave(ticket: string, attempt: Omit<Attempt, 'userId'>): Promise<string | undefined>;
  /** Answers for whom the browser left. The state is spent, whatever comes of it. */
  arrive(state: string, attempt: Omit<Attempt, 'userId'>): Promise<{ userId: string } | undefined>;
  removeExpired(): Promise<void>;
};

const TICKET_SECONDS = 60;
/** Time to sign in at the provider, with a second factor. */
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
    async leave(ticket, { provider, browserKey }) {
      const state = randomValue();
      const left = await db
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
      return left && state;
    },
    async arrive(state, { provider, browserKey }) {
      const attempt = await db
        .deleteFrom('connect.attempts')
        .where('state_hash', '=', hashOf(state))
        .returning(['user_id', 'provider', 'browser_hash'])
        .returning(sql<boolean>`expires_at > now()`.as('is_good'))
        .executeTakeFirst();
      const isTheirs =
        attempt?.is_good &&
        attempt.provider === provider &&
        attempt.browser_hash.equals(hashOf(browserKey));
      return isTheirs ? { userId: attempt.user_id } : undefined;
    },
    async removeExpired() {
      await db.deleteFrom('connect.attempts').where('expires_at', '<', NOW).execute();
    },
  };
}

/** The verifier of PKCE: only the browser's key and the state together make it, so that nobody has to keep it. */
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
