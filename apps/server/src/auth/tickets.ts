import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';

/** The word before the colon of a ticket, with its life in seconds. Wire: the prefix decides what it is good for. */
export const TICKET_LIFETIMES = {
  verifyEmail: 30 * 86_400,
  emailConfirmChange: 3_600,
  passwordlessEmail: 3_600,
  passwordReset: 3_600,
  mfaTotp: 300,
} as const;

export type TicketPurpose = keyof typeof TICKET_LIFETIMES;

type RedeemedTicket = {
  userId: string;
  purpose: TicketPurpose;
  /** Where it was mailed to: the only address that it proves. */
  address: string | null;
};

export type Tickets = {
  /** A new ticket voids the user's earlier one for the same purpose. */
  issue(userId: string, purpose: TicketPurpose, address?: string): Promise<string>;
  /** Good once: whoever asks uses it up, whatever comes of it. */
  redeem(ticket: string): Promise<RedeemedTicket | undefined>;
  /** Links that were sent before the password or the address changed are worth nothing afterwards. */
  voidAll(userId: string): Promise<void>;
};

export function createTickets(db: Database): Tickets {
  return {
    async issue(userId, purpose, address) {
      const ticket = `${purpose}:${randomUUID()}`;
      const values = {
        ticket_hash: hashOf(ticket),
        address: address ?? null,
        expires_at: sql<Date>`now() + make_interval(secs => ${TICKET_LIFETIMES[purpose]})`,
      };
      await db
        .insertInto('auth.tickets')
        .values({ user_id: userId, purpose, ...values })
        .onConflict((conflict) => conflict.columns(['user_id', 'purpose']).doUpdateSet(values))
        .execute();
      return ticket;
    },
    async redeem(ticket) {
      const row = await db
        .deleteFrom('auth.tickets')
        .where('ticket_hash', '=', hashOf(ticket))
        .returning(['user_id', 'purpose', 'address'])
        .returning(sql<boolean>`expires_at > now()`.as('is_good'))
        .executeTakeFirst();
      if (row === undefined || !row.is_good) return undefined;
      return { userId: row.user_id, purpose: row.purpose as TicketPurpose, address: row.address };
    },
    async voidAll(userId) {
      await db.deleteFrom('auth.tickets').where('user_id', '=', userId).execute();
    },
  };
}

function hashOf(ticket: string): Buffer {
  return createHash('sha256').update(ticket).digest();
}
