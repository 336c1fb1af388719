import type { Texter } from './mailer.ts';

/** The gateway could not be reached or did not take the message. */
export class TextFailure extends Error {
  override name = 'TextFailure';
}

type WebhookDeps = { address: string; fetch: typeof fetch; deadlineMs?: number };

const DEADLINE_MS = 10_000;

/** Text messages by way of the operator's gateway: POST {to, text}; any 2xx means it was taken over. */
export function createWebhookTexter({
  address,
  fetch,
  deadlineMs = DEADLINE_MS,
}: WebhookDeps): Texter {
  return {
    async send({ to, text }) {
      const status = await post({ to, text }).catch((cause) => {
        throw new TextFailure('The text message gateway could not be reached', { cause });
      });
      if (status < 200 || status > 299)
        throw new TextFailure(`The text message gateway answered ${status}`);
    },
  };

  async function post(message: { to: string; text: string }): Promise<number> {
    const response = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(message),
      // A code must not travel to wherever a redirect points.
      redirect: 'error',
      signal: AbortSignal.timeout(deadlineMs),
    });
    await response.body?.cancel();
    return response.status;
  }
}
