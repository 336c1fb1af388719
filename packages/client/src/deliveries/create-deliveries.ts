import { DELIVERIES_SUBSCRIPTION, type Delivery, decodeDeliveryRows } from '@longshore/contract';
import type { Graphql, LiveObserver } from '../graphql/graphql.ts';

export type Deliveries = {
  /** The latest webhook deliveries of an app, newest first, now and after every change. */
  live(appId: string, observer: LiveObserver<Delivery[]>): () => void;
};

export function createDeliveries(graphql: Pick<Graphql, 'subscribe'>): Deliveries {
  return {
    live: (appId, observer) =>
      graphql.subscribe<{ deliveries: unknown }>(
        DELIVERIES_SUBSCRIPTION,
        { appId },
        { ...observer, next: ({ deliveries }) => observer.next(decodeDeliveryRows(deliveries)) },
      ),
  };
}
