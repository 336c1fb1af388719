import { type Connect, type ConnectResult, createStore, type Services } from '@longshore/client';
import type { Delivery, DeployHook, Webhook } from '@longshore/contract';
import { failure } from './failure.ts';

/** The webhook and the deploy hook of every app, in memory. */
export function createFakeWebhooks() {
  const switched: boolean[] = [];
  const replayed: string[] = [];
  let webhook: Webhook = {
    state: 'off',
    url: 'https://console.test/v1/connect/hooks/h1',
    secret: 's3cret',
  };
  let deployHook: DeployHook = { url: null };
  let createdHooks = 0;
  const deliveries = createStore<Delivery[]>([]);
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
    deliveries: () => respond(deliveries.state()),
    async replayDelivery(_, deliveryId) {
      replayed.push(deliveryId);
      const original = deliveries.state().find(({ id }) => id === deliveryId);
      if (original === undefined) return failure('Delivery not found');
      const replay = { ...original, id: `${original.id}-again`, isReplay: true };
      if (failureMessage === undefined) deliveries.set([replay, ...deliveries.state()]);
      return await respond(replay);
    },
    deployHook: () => respond(deployHook),
    createDeployHook() {
      createdHooks += 1;
      const url = `https://console.test/v1/connect/deploy-hooks/a1?key=k${createdHooks}`;
      if (failureMessage === undefined) deployHook = { url };
      return respond(deployHook);
    },
    removeDeployHook() {
      if (failureMessage === undefined) deployHook = { url: null };
      return respond(deployHook);
    },
  } satisfies Partial<Connect>;

  const liveDeliveries: Services['deliveries'] = {
    live(_, observer) {
      const report = () => {
        if (failureMessage === undefined) observer.next(deliveries.state());
        else observer.error?.(failure(failureMessage).error);
      };
      report();
      return deliveries.subscribe(report);
    },
  };

  return {
    service,
    liveDeliveries,
    switched,
    replayed,
    set: (state: { webhook?: Partial<Webhook>; deliveries?: Delivery[] }) => {
      webhook = { ...webhook, ...state.webhook };
      if (state.deliveries !== undefined) deliveries.set(state.deliveries);
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
