import type { Config } from '../config.ts';
import type { SmsSender } from './mailer.ts';
import { createOutbox, toTerminalLine } from './outbox.ts';
import { createWebhookSmsSender } from './webhook-sms-sender.ts';

export type SmsDeps = {
  config: Pick<Config, 'smsWebhook'>;
  folder: string;
  clock: { now(): number };
  fetch: typeof fetch;
  print: (line: string) => void;
};

/** Sends SMS through the webhook if it is configured; otherwise writes them to the outbox and prints them. */
export function createSmsSender({ config, folder, clock, fetch, print }: SmsDeps): SmsSender {
  if (config.smsWebhook !== undefined)
    return createWebhookSmsSender({ url: config.smsWebhook, fetch });
  const outbox = createOutbox({ folder, clock });
  return {
    async send({ to, text }) {
      await outbox.put('text-message', 'json', `${JSON.stringify({ to, text }, null, 2)}\n`);
      print(toTerminalLine(`Text message for ${to}: ${text}`));
    },
  };
}
