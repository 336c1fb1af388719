import { mailHtml } from './mail-html.ts';
import { MAIL_TEXTS, type MailText } from './mail-texts.ts';
import type { Mail } from './mailer.ts';

export type RenderedMail = { to: string; subject: string; html: string; text: string };

/** Renders a mail as HTML and plain text. The user's display name appears in the greeting only. */
export function renderMail(mail: Mail): RenderedMail {
  const text = MAIL_TEXTS[mail.purpose];
  const greeting = greetingOf(mail);
  return {
    to: mail.to,
    subject: text.subject,
    html: mailHtml(mail, text, greeting),
    text: plainText(mail, text, greeting),
  };
}

/**
 * Mail clients turn domain names into links: an attacker could sign up with a victim's address and a domain as display
 * name.
 */
const DOMAIN = /[\p{L}\p{N}]\.\p{L}{2}/u;

/** The default display name is the e-mail address, which is not used in the greeting. */
function greetingOf({ displayName, to }: Mail): string {
  const name = displayName.replace(/\s+/g, ' ').trim();
  const isName = name !== '' && name !== to && !name.includes('@') && !DOMAIN.test(name);
  return isName ? `Hello ${name},` : 'Hello,';
}

function plainText({ link, code }: Mail, { lead, note }: MailText, greeting: string): string {
  const linkOrCode = [link, code].filter((part) => part !== undefined);
  return [greeting, lead, ...linkOrCode, note, 'Longshore'].join('\n\n').concat('\n');
}
