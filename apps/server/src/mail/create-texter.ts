import type { Config } from '../config.ts';
import type { Texter } from './mailer.ts';
import { createOutbox } from './outbox.ts';
import { printable } from './printable.ts';
import { createWebhookTexter } from './webhook-texter.ts';

export type TextDeps = {
  config: Pick<Config, 'smsWebhook'>;
  folder: string;
  clock: { now(): number };
  fetch: typeof fetch;
  print: (line: string) => void;
};

/** Text messages through the webhook when it is set up, otherwise into the outbox and the terminal. */
export function createTexter({ config, folder, clock, fetch, print }: TextDeps): Texter {
  if (config.smsWebhook !== undefined)
    return createWebhookTexter({ address: config.smsWebhook, fetch });
  const outbox = createOutbox({ folder, clock });
  return {
    async send({ to, text }) {
      await outbox.put('text-message', 'json', `${JSON.stringify({ to, text }, null, 2)}\n`);
      print(printable(`Text message for ${to}: ${text}`));
    },
  };
}
