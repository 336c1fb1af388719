import type { Config } from '../config.ts';
import type { Texter } from './mailer.ts';
import { createOutbox, toTerminalLine } from './outbox.ts';
import { createWebhookTexter } from './webhook-texter.ts';

export type TextDeps = {
  config: Pick<Config, 'smsWebhook'>;
  folder: string;
  clock: { now(): number };
  fetch: typeof fetch;
  print: (line: string) => void;
};

/** Sends SMS through the webhook if it is configured; otherwise writes them to the outbox and prints them. */
export function createTexter({ config, folder, clock, fetch, print }: TextDeps): Texter {
  if (config.smsWebhook !== undefined)
    return createWebhookTexter({ url: config.smsWebhook, fetch });
  const outbox = createOutbox({ folder, clock });
  return {
    async send({ to, text }) {
      await outbox.put('text-message', 'json', `${JSON.stringify({ to, text }, null, 2)}\n`);
      print(toTerminalLine(`Text message for ${to}: ${text}`));
    },
  };
}
