import { expect, it } from 'vitest';
import { decodeDeliveries, isWebhook } from './connect-webhooks.ts';

const delivery = {
  id: '1',
  at: '2026-01-01T00:00:00Z',
  event: 'push',
  ref: 'refs/heads/main',
  commit: null,
  outcome: 'deployed',
  reason: 'A push to main',
  isReplay: false,
};

it('reads deliveries, without what is none', () => {
  const broken = Object.keys(delivery).map((field) => ({ ...delivery, [field]: 7 }));
  const deliveries = [null, [], ...broken, { ...delivery, outcome: 'odd' }, delivery];
  expect(decodeDeliveries({ deliveries })).toEqual([delivery]);
});

it.each([undefined, null, [], {}, { deliveries: {} }])('finds no deliveries in %j', (answer) => {
  expect(decodeDeliveries(answer)).toBeUndefined();
});

it.each([
  [{ state: 'manual', url: 'https://here/hooks/1', secret: 's' }, true],
  [{ state: 'odd', url: 'https://here/hooks/1', secret: 's' }, false],
  [{ state: 'off', url: 'https://here/hooks/1' }, false],
  [undefined, false],
])('knows whether %j is a webhook', (value, isOne) => {
  expect(isWebhook(value)).toBe(isOne);
});
