import { DELIVERIES_SUBSCRIPTION } from '@longshore/contract';
import { expect, it } from 'vitest';
import { createDeliveries } from './create-deliveries.ts';

it('delivers the decoded deliveries of one app', () => {
  const subscriptions: unknown[] = [];
  let deliver: (data: never) => void = () => undefined;
  const { live } = createDeliveries({
    subscribe: (document, variables, observer) => {
      subscriptions.push([document, variables]);
      deliver = observer.next as typeof deliver;
      return () => undefined;
    },
  });
  const seen: string[][] = [];
  live('app', { next: (list) => void seen.push(list.map(({ id }) => id)) });
  const row = { at: '2026-01-01T00:00:00Z', event: 'push', push: null, outcome: 'ignored' };
  const rows = [{ ...row, id: 2, reason: 'No match', is_replay: false }, { id: 1 }];
  deliver({ deliveries: rows } as never);
  expect(seen).toEqual([['2']]);
  expect(subscriptions).toEqual([[DELIVERIES_SUBSCRIPTION, { appId: 'app' }]]);
});
