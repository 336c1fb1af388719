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

it('decodes deliveries and skips malformed entries', () => {
  const malformed = Object.keys(delivery).map((field) => ({ ...delivery, [field]: 7 }));
  const deliveries = [null, [], ...malformed, { ...delivery, outcome: 'unknown' }, delivery];
  expect(decodeDeliveries({ deliveries })).toEqual([delivery]);
});

it.each([undefined, null, [], {}, { deliveries: {} }])('returns undefined for %j', (body) => {
  expect(decodeDeliveries(body)).toBeUndefined();
});

it.each([
  [{ state: 'manual', url: 'https://longshore.test/hooks/1', secret: 's' }, true],
  [{ state: 'unknown', url: 'https://longshore.test/hooks/1', secret: 's' }, false],
  [{ state: 'off', url: 'https://longshore.test/hooks/1' }, false],
  [undefined, false],
])('%j is a webhook: %s', (value, expected) => {
  expect(isWebhook(value)).toBe(expected);
});
