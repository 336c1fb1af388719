import type { AuthDeps } from '../deps.ts';
import type { UserRow } from '../users.ts';
import { LINK_KINDS, type LinkPurpose, verifyLink } from './verify-link.ts';

type Link = {
  user: UserRow;
  to: string;
  purpose: LinkPurpose;
  redirectTo: string;
  /** The client's, if it wants a code at the end of the way. */
  codeChallenge: string | undefined;
};

/** Issues a ticket and mails its link. An earlier link for the same purpose stops working. */
export async function sendLink(
  { user, to, purpose, redirectTo, codeChallenge }: Link,
  { tickets, mailer, settings }: Pick<AuthDeps, 'tickets' | 'mailer' | 'settings'>,
): Promise<void> {
  const ticket = await tickets.issue(user.id, purpose, to);
  await mailer.send({
    to,
    purpose: LINK_KINDS[purpose].mail,
    displayName: user.display_name,
    locale: user.locale,
    link: verifyLink(settings.publicUrl, { purpose, ticket, redirectTo, codeChallenge }),
  });
}
