import { AUTH_PATHS, SERVICE_PATHS } from '@longshore/contract';
import { z } from 'zod';
import type { MailPurpose } from '../../mail/mailer.ts';
import type { AuthDeps } from '../deps.ts';
import { redirectToField } from '../redirect-to.ts';
import type { TicketPurpose } from '../tickets.ts';
import type { UserRow } from '../users.ts';

/** `options` of requests that only send a link. */
export const linkOptions = z.object({ redirectTo: redirectToField }).nullish();

/** Purposes of tickets that are sent as a link in a mail. */
export type LinkPurpose = Exclude<TicketPurpose, 'mfaTotp'>;

type LinkKind = { type: string; mail: MailPurpose };

/** `type` is informational; the prefix of the ticket determines what the link does. */
const LINK_KINDS: Record<LinkPurpose, LinkKind> = {
  verifyEmail: { type: 'emailVerify', mail: 'verify-email' },
  emailConfirmChange: { type: 'emailConfirmChange', mail: 'confirm-email-change' },
  passwordlessEmail: { type: 'signinPasswordless', mail: 'sign-in-link' },
  passwordReset: { type: 'passwordReset', mail: 'reset-password' },
};

type Link = {
  user: UserRow;
  to: string;
  purpose: LinkPurpose;
  redirectTo: string;
  /** If the client sent one, following the link yields a code instead of a refresh token. */
  codeChallenge: string | undefined;
};

/** Issues a ticket and mails its link. An earlier link for the same purpose stops working. */
export async function sendLink(
  { user, to, purpose, redirectTo, codeChallenge }: Link,
  { tickets, mailer, settings }: Pick<AuthDeps, 'tickets' | 'mailer' | 'settings'>,
): Promise<void> {
  const ticket = await tickets.issue(user.id, purpose, { address: to });
  const { type, mail } = LINK_KINDS[purpose];
  const query = new URLSearchParams({ type, ticket, redirectTo });
  if (codeChallenge !== undefined) query.set('codeChallenge', codeChallenge);
  await mailer.send({
    to,
    purpose: mail,
    displayName: user.display_name,
    locale: user.locale,
    // Built from the configured public URL, never from the request's host.
    link: `${settings.publicUrl}${SERVICE_PATHS.auth[0]}${AUTH_PATHS.verify}?${query}`,
  });
}

/** The purpose in a ticket's prefix. Undefined for tickets that are not mailed as links. */
export function linkPurposeOf(ticket: string): LinkPurpose | undefined {
  const prefix = ticket.split(':', 1)[0] ?? '';
  return Object.hasOwn(LINK_KINDS, prefix) ? (prefix as LinkPurpose) : undefined;
}
