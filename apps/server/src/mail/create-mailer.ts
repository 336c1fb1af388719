import type { Config } from '../config.ts';
import type { Mailer } from './mailer.ts';
import { createOutbox, type Outbox, toTerminalLine } from './outbox.ts';
import { renderMail } from './render-mail.ts';
import { createSmtpMailer } from './smtp-mailer.ts';

export type MailDeps = {
  config: Pick<Config, 'smtpUrl' | 'mailFrom'>;
  folder: string;
  clock: { now(): number };
  print: (line: string) => void;
};

/** Sends mails through SMTP if it is configured; otherwise writes them to the outbox. */
export function createMailer({ config, folder, clock, print }: MailDeps): Mailer {
  const from = config.mailFrom;
  return config.smtpUrl === undefined
    ? createOutboxMailer({ outbox: createOutbox({ folder, clock }), from, print })
    : createSmtpMailer({ url: config.smtpUrl, from });
}

type OutboxMailerDeps = { outbox: Outbox; from: string; print: (line: string) => void };

/** Writes mails to files and prints their links, so that they can be followed without a mail server. */
function createOutboxMailer({ outbox, from, print }: OutboxMailerDeps): Mailer {
  return {
    async send(mail) {
      const { createTransport } = await import('nodemailer');
      const composer = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
      const { message } = await composer.sendMail({ from, ...renderMail(mail) });
      await outbox.put(mail.purpose, 'eml', message as Buffer);
      const content = mail.link ?? mail.code ?? '';
      print(toTerminalLine(`Mail for ${mail.to} (${mail.purpose}): ${content}`));
    },
  };
}
