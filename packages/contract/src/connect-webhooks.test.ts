import { expect, it } from 'vitest';
import { decodeDeliveries, decodeDeliveryRows, isWebhook } from './connect-webhooks.ts';

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

it.each([
  [{ ref: 'refs/heads/main', commit: '3f2a91c', by: 'Ada' }, 'refs/heads/main', '3f2a91c'],
  [{ ref: 'refs/heads/main' }, 'refs/heads/main', null],
  [null, null, null],
])('decodes a row whose push is %j, and skips malformed rows', (push, ref, commit) => {
  const { id: _, ref: __, commit: ___, isReplay, ...fields } = delivery;
  const row = { ...fields, id: 7, push, is_replay: isReplay };
  const rows = [row, null, { ...row, outcome: 'unknown' }, { ...row, push: { ref: 7 } }];
  expect(decodeDeliveryRows(rows)).toEqual([{ ...delivery, id: '7', ref, commit }]);
});

it.each([undefined, null, {}])('reads no deliveries from %j', (rows) => {
  expect(decodeDeliveryRows(rows)).toEqual([]);
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
