import { expect, it } from 'vitest';
import { dnsState } from './check-domain.ts';

const HERE = '192.0.2.10';

it.each([
  [[HERE], HERE, 'verified'],
  [['198.51.100.1', HERE], HERE, 'verified'],
  [['198.51.100.1'], HERE, 'elsewhere'],
  [['192.0.2.1'], HERE, 'elsewhere'],
  [[], HERE, 'missing'],
  [undefined, HERE, 'unanswered'],
  [['2001:db8::1'], '2001:0DB8:0:0::1', 'verified'],
  [['2001:db8::2'], '2001:db8::1', 'elsewhere'],
  [['2001:db8::2', HERE], HERE, 'verified'],
])('maps addresses %j with the public IP %s to %s', (addresses, publicIp, state) => {
  expect(dnsState(addresses, publicIp)).toEqual({ state, addresses: addresses ?? [] });
});
