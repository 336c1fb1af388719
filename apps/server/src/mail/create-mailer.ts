import type { Config } from '../config.ts';
import type { Mailer } from './mailer.ts';
import { createOutbox } from './outbox.ts';
import { createOutboxMailer } from './outbox-mailer.ts';
import { createSmtpMailer } from './smtp-mailer.ts';

export type MailDeps = {
  config: Pick<Config, 'smtpUrl' | 'mailFrom'>;
  folder: string;
  clock: { now(): number };
  print: (line: string) => void;
};

/** Mails through SMTP when it is set up, otherwise into the outbox with the link in the terminal. */
export function createMailer({ config, folder, clock, print }: MailDeps): Mailer {
  const from = config.mailFrom;
  return config.smtpUrl === undefined
    ? createOutboxMailer({ outbox: createOutbox({ folder, clock }), from, print })
    : createSmtpMailer({ url: config.smtpUrl, from });
}
