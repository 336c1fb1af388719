import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';

/** Lifetimes in seconds by purpose. The prefix of a ticket is its purpose. */
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
  /** The address that the ticket was mailed to. It verifies no other address. */
  address: string | null;
};

export type Tickets = {
  /** Replaces the user's earlier ticket for the same purpose. */
  issue(userId: string, purpose: TicketPurpose, address?: string): Promise<string>;
  /** Valid once: redeeming deletes it, even if it has expired. */
  redeem(ticket: string): Promise<RedeemedTicket | undefined>;
  /** Called when the password or the address changes, so that earlier links stop working. */
  revokeAll(userId: string): Promise<void>;
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
        .returning(sql<boolean>`expires_at > now()`.as('is_valid'))
        .executeTakeFirst();
      if (row === undefined || !row.is_valid) return undefined;
      return { userId: row.user_id, purpose: row.purpose as TicketPurpose, address: row.address };
    },
    async revokeAll(userId) {
      await db.deleteFrom('auth.tickets').where('user_id', '=', userId).execute();
    },
  };
}

function hashOf(ticket: string): Buffer {
  return createHash('sha256').update(ticket).digest();
}
