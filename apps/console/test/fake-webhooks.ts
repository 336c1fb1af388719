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
  let failureMessage: string | undefined;
  let registrationFailure: string | undefined;

  async function respond<Data>(data: Data): Promise<ConnectResult<Data>> {
    return failureMessage === undefined ? { ok: true, data } : failure(failureMessage);
  }

  const service = {
    webhook: () => respond(webhook),
    switchWebhook(_, isEnabled) {
      switched.push(isEnabled);
      const on = registrationFailure === undefined ? 'registered' : 'manual';
      if (failureMessage === undefined) webhook = { ...webhook, state: isEnabled ? on : 'off' };
      return respond({
        ...webhook,
        ...(registrationFailure !== undefined && { note: registrationFailure }),
      });
    },
    deliveries: () => respond(deliveries),
    async replayDelivery(_, deliveryId) {
      replayed.push(deliveryId);
      const original = deliveries.find(({ id }) => id === deliveryId);
      if (original === undefined) return failure('Delivery not found');
      const replay = { ...original, id: `${original.id}-again`, isReplay: true };
      if (failureMessage === undefined) deliveries = [replay, ...deliveries];
      return await respond(replay);
    },
  } satisfies Partial<Connect>;

  return {
    service,
    switched,
    replayed,
    set: (state: { webhook?: Partial<Webhook>; deliveries?: Delivery[] }) => {
      webhook = { ...webhook, ...state.webhook };
      deliveries = state.deliveries ?? deliveries;
    },
    /** Webhooks cannot be registered at the provider, for this reason. */
    failRegistration: (reason: string) => {
      registrationFailure = reason;
    },
    failRequests: (message: string | undefined) => {
      failureMessage = message;
    },
  };
}
