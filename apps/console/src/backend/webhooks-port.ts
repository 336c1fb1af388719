import type { Delivery, Webhook } from '@longshore/contract';
import type { Answer } from './answer.ts';

/** How pushes reach an app, and which ones did. */
export type WebhooksPort = {
  webhook(appId: string, signal: AbortSignal): Promise<Answer<Webhook>>;
  setWebhook(appId: string, isEnabled: boolean): Promise<Answer<Webhook>>;
  /** Newest first. */
  deliveries(appId: string, signal: AbortSignal): Promise<Answer<Delivery[]>>;
  replay(appId: string, deliveryId: string): Promise<Answer<Delivery>>;
};
