import type { Delivery, Webhook } from '@longshore/contract';
import type { Answer } from '../src/backend/answer.ts';
import type { WebhooksPort } from '../src/backend/webhooks-port.ts';

/** The webhook of every app, in memory. */
export function createFakeWebhooks() {
  const switched: boolean[] = [];
  const replayed: string[] = [];
  let webhook: Webhook = {
    state: 'off',
    url: 'https://console.test/v1/connect/hooks/h1',
    secret: 's3cret',
  };
  let deliveries: Delivery[] = [];
  let refusal: string | undefined;
  let note: string | undefined;

  async function answer<Value>(value: Value): Promise<Answer<Value>> {
    return refusal === undefined ? { ok: true, value } : { ok: false, message: refusal };
  }

  const port: WebhooksPort = {
    webhook: () => answer(webhook),
    setWebhook(_, isEnabled) {
      switched.push(isEnabled);
      const on = note === undefined ? 'registered' : 'manual';
      if (refusal === undefined) webhook = { ...webhook, state: isEnabled ? on : 'off' };
      return answer({ ...webhook, ...(note !== undefined && { note }) });
    },
    deliveries: () => answer(deliveries),
    async replay(_, deliveryId) {
      replayed.push(deliveryId);
      const original = deliveries.find(({ id }) => id === deliveryId);
      if (original === undefined) return { ok: false, message: 'Delivery not found' };
      const again = { ...original, id: `${original.id}-again`, isReplay: true };
      if (refusal === undefined) deliveries = [again, ...deliveries];
      return await answer(again);
    },
  };

  return {
    port,
    switched,
    replayed,
    hold: (held: { webhook?: Partial<Webhook>; deliveries?: Delivery[] }) => {
      webhook = { ...webhook, ...held.webhook };
      deliveries = held.deliveries ?? deliveries;
    },
    /** Why the provider cannot be told of it. */
    keepFromProvider: (reason: string) => {
      note = reason;
    },
    refuse: (message: string | undefined) => {
      refusal = message;
    },
  };
}
