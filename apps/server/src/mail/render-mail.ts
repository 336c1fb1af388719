import { mailHtml } from './mail-html.ts';
import { WORDS, type Words } from './mail-texts.ts';
import type { Mail } from './mailer.ts';

export type RenderedMail = { to: string; subject: string; html: string; text: string };

/** The words of a mail in both forms. What a person chose for a name stands in the greeting and nowhere else. */
export function renderMail(mail: Mail): RenderedMail {
  const words = WORDS[mail.purpose];
  const greeting = greetingOf(mail);
  return {
    to: mail.to,
    subject: words.subject,
    html: mailHtml(mail, words, greeting),
    text: mailText(mail, words, greeting),
  };
}

/** What mail programs make a link of: a stranger could sign somebody up under the name of a page. */
const DOMAIN = /[\p{L}\p{N}]\.\p{L}{2}/u;

/** Who gave no name is known by the address, and nobody is greeted by that. */
function greetingOf({ displayName, to }: Mail): string {
  const name = displayName.replace(/\s+/g, ' ').trim();
  const isName = name !== '' && name !== to && !name.includes('@') && !DOMAIN.test(name);
  return isName ? `Hello ${name},` : 'Hello,';
}

function mailText({ link, code }: Mail, { lead, note }: Words, greeting: string): string {
  const thing = [link, code].filter((part) => part !== undefined);
  return [greeting, lead, ...thing, note, 'Longshore'].join('\n\n').concat('\n');
}
