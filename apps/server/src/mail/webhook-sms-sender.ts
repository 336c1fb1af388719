import type { SmsSender } from './mailer.ts';

/** The gateway could not be reached or did not accept the message. */
export class SmsFailure extends Error {
  override name = 'SmsFailure';
}

type WebhookDeps = { url: string; fetch: typeof fetch; timeoutMs?: number };

const TIMEOUT_MS = 10_000;

/** Sends SMS through the operator's gateway: POST {to, text}; any 2xx response means accepted. */
export function createWebhookSmsSender({
  url,
  fetch,
  timeoutMs = TIMEOUT_MS,
}: WebhookDeps): SmsSender {
  return {
    async send({ to, text }) {
      const status = await post({ to, text }).catch((cause) => {
        throw new SmsFailure('The SMS gateway could not be reached', { cause });
      });
      if (status < 200 || status > 299)
        throw new SmsFailure(`The SMS gateway responded with status ${status}`);
    },
  };

  async function post(message: { to: string; text: string }): Promise<number> {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(message),
      // A redirect would send the code to another host.
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    await response.body?.cancel();
    return response.status;
  }
}
