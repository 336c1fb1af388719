import { AUTH_PATHS, SERVICE_PATHS } from '@longshore/contract';
import type { MailPurpose } from '../../mail/mailer.ts';
import type { TicketPurpose } from '../tickets.ts';

/** Tickets that are good for a link in a mail. */
export type LinkPurpose = Exclude<TicketPurpose, 'mfaTotp'>;

type LinkKind = { type: string; mail: MailPurpose };

/** `type` is for the reader of the address; what a link does is told by its ticket. Wire §3.14. */
export const LINK_KINDS: Record<LinkPurpose, LinkKind> = {
  verifyEmail: { type: 'emailVerify', mail: 'verify-email' },
  emailConfirmChange: { type: 'emailConfirmChange', mail: 'confirm-email-change' },
  passwordlessEmail: { type: 'signinPasswordless', mail: 'sign-in-link' },
  passwordReset: { type: 'passwordReset', mail: 'reset-password' },
};

type LinkParts = {
  purpose: LinkPurpose;
  ticket: string;
  redirectTo: string;
  codeChallenge: string | undefined;
};

/** The address in a mail. It leads to us, never to where a request says we are. */
export function verifyLink(
  publicUrl: string,
  { purpose, ticket, redirectTo, codeChallenge }: LinkParts,
): string {
  const query = new URLSearchParams({ type: LINK_KINDS[purpose].type, ticket, redirectTo });
  if (codeChallenge !== undefined) query.set('codeChallenge', codeChallenge);
  return `${publicUrl}${SERVICE_PATHS.auth[0]}${AUTH_PATHS.verify}?${query}`;
}

/** What a ticket is for, by its prefix; nothing for tickets of other flows and for anything else. */
export function linkPurposeOf(ticket: string): LinkPurpose | undefined {
  const prefix = ticket.split(':', 1)[0] ?? '';
  return Object.hasOwn(LINK_KINDS, prefix) ? (prefix as LinkPurpose) : undefined;
}
