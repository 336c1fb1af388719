import { createHash, randomUUID } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import type { TicketsTable } from '../db/schema.ts';
import type { PendingSignIn } from './sign-in-effects.ts';

/** Lifetimes in seconds by purpose. The prefix of a ticket is its purpose. */
export const TICKET_LIFETIMES = {
  verifyEmail: 30 * 86_400,
  emailConfirmChange: 3_600,
  passwordlessEmail: 3_600,
  passwordReset: 3_600,
  mfaTotp: 300,
} as const;

export type TicketPurpose = keyof typeof TICKET_LIFETIMES;

type Binding = {
  /** The address that the ticket was mailed to. It verifies no other address. */
  address?: string;
  /** The sign-in that a ticket for the second factor continues. */
  signIn?: PendingSignIn;
};

type ValidTicket = {
  userId: string;
  purpose: TicketPurpose;
  address: string | null;
  /** Null for tickets of links, and for those of earlier versions. */
  signIn: PendingSignIn | null;
};

export type Tickets = {
  /** Replaces the user's earlier ticket for the same purpose. */
  issue(userId: string, purpose: TicketPurpose, binding: Binding): Promise<string>;
  /** Valid once: redeeming deletes it, even if it has expired. */
  redeem(ticket: string): Promise<ValidTicket | undefined>;
  /** The same without using it up. */
  find(ticket: string): Promise<ValidTicket | undefined>;
  revoke(userId: string, purpose: TicketPurpose): Promise<void>;
  /** Called when the password or the address changes, so that earlier links stop working. */
  revokeAll(userId: string): Promise<void>;
};

export function createTickets(db: Database): Tickets {
  return {
    async issue(userId, purpose, { address, signIn }) {
      const ticket = `${purpose}:${randomUUID()}`;
      const values = {
        ticket_hash: hashOf(ticket),
        address: address ?? null,
        sign_in: signIn === undefined ? null : JSON.stringify(signIn),
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
        .returning(['user_id', 'purpose', 'address', 'sign_in'])
        .returning(sql<boolean>`expires_at > now()`.as('is_valid'))
        .executeTakeFirst();
      return row?.is_valid ? toTicket(row) : undefined;
    },
    async find(ticket) {
      const row = await db
        .selectFrom('auth.tickets')
        .select(['user_id', 'purpose', 'address', 'sign_in'])
        .where('ticket_hash', '=', hashOf(ticket))
        .where('expires_at', '>', sql<Date>`now()`)
        .executeTakeFirst();
      return row && toTicket(row);
    },
    async revoke(userId, purpose) {
      await db
        .deleteFrom('auth.tickets')
        .where('user_id', '=', userId)
        .where('purpose', '=', purpose)
        .execute();
    },
    async revokeAll(userId) {
      await db.deleteFrom('auth.tickets').where('user_id', '=', userId).execute();
    },
  };
}

type TicketRow = Pick<Selectable<TicketsTable>, 'user_id' | 'purpose' | 'address' | 'sign_in'>;

function toTicket(row: TicketRow): ValidTicket {
  return {
    userId: row.user_id,
    purpose: row.purpose as TicketPurpose,
    address: row.address,
    signIn: row.sign_in as PendingSignIn | null,
  };
}

function hashOf(ticket: string): Buffer {
  return createHash('sha256').update(ticket).digest();
}
