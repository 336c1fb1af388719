import { CONNECT_PATHS } from '@longshore/contract';
import { Hono } from 'hono';
import { listDeliveries, replayDelivery } from './app-deliveries.ts';
import { setWebhook, showWebhook } from './app-webhook.ts';
import type { WebhookDeps } from './deps.ts';
import { receiveDelivery } from './receive-delivery.ts';

/** Pushes that deploy. */
export function createWebhookEndpoints(deps: WebhookDeps): Hono {
  return new Hono()
    .post(CONNECT_PATHS.hook, (context) => receiveDelivery(context, deps))
    .get(CONNECT_PATHS.webhook, (context) => showWebhook(context, deps))
    .post(CONNECT_PATHS.webhook, (context) => setWebhook(context, deps))
    .get(CONNECT_PATHS.deliveries, (context) => listDeliveries(context, deps))
    .post(CONNECT_PATHS.replayDelivery, (context) => replayDelivery(context, deps));
}
