import type { Mailer } from './mailer.ts';
import type { Outbox } from './outbox.ts';
import { printable } from './printable.ts';
import { renderMail } from './render-mail.ts';

type OutboxMailerDeps = { outbox: Outbox; from: string; print: (line: string) => void };

/** Mails as files, for a machine without a mail server. The line in the terminal is the way to follow a link. */
export function createOutboxMailer({ outbox, from, print }: OutboxMailerDeps): Mailer {
  return {
    async send(mail) {
      const { createTransport } = await import('nodemailer');
      const composer = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
      const { message } = await composer.sendMail({ from, ...renderMail(mail) });
      await outbox.put(mail.purpose, 'eml', message as Buffer);
      print(printable(`Mail for ${mail.to} (${mail.purpose}): ${mail.link ?? mail.code ?? ''}`));
    },
  };
}
