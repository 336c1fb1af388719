import type { Connect, ConnectResult } from '@longshore/client';
import type { Delivery, Webhook } from '@longshore/contract';
import { failure } from './failure.ts';

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

  async function respond<Data>(data: Data): Promise<ConnectResult<Data>> {
    return refusal === undefined ? { ok: true, data } : failure(refusal);
  }

  const service = {
    webhook: () => respond(webhook),
    switchWebhook(_, isEnabled) {
      switched.push(isEnabled);
      const on = note === undefined ? 'registered' : 'manual';
      if (refusal === undefined) webhook = { ...webhook, state: isEnabled ? on : 'off' };
      return respond({ ...webhook, ...(note !== undefined && { note }) });
    },
    deliveries: () => respond(deliveries),
    async replayDelivery(_, deliveryId) {
      replayed.push(deliveryId);
      const original = deliveries.find(({ id }) => id === deliveryId);
      if (original === undefined) return failure('Delivery not found');
      const again = { ...original, id: `${original.id}-again`, isReplay: true };
      if (refusal === undefined) deliveries = [again, ...deliveries];
      return await respond(again);
    },
  } satisfies Partial<Connect>;

  return {
    service,
    switched,
    replayed,
    hold: (held: { webhook?: Partial<Webhook>; deliveries?: Delivery[] }) => {
      webhook = { ...webhook, ...held.webhook };
      deliveries = held.deliveries ?? deliveries;
    },
    /** The provider does not let us register the webhook, for this reason. */
    keepFromProvider: (reason: string) => {
      note = reason;
    },
    refuse: (message: string | undefined) => {
      refusal = message;
    },
  };
}
