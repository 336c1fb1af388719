import { expect, it } from 'vitest';
import { dnsState } from './check-domain.ts';

const PUBLIC_IP = '192.0.2.10';

it.each([
  [[PUBLIC_IP], PUBLIC_IP, 'verified'],
  [['198.51.100.1', PUBLIC_IP], PUBLIC_IP, 'verified'],
  [['198.51.100.1'], PUBLIC_IP, 'elsewhere'],
  [['192.0.2.1'], PUBLIC_IP, 'elsewhere'],
  [[], PUBLIC_IP, 'missing'],
  [undefined, PUBLIC_IP, 'unanswered'],
  [['2001:db8::1'], '2001:0DB8:0:0::1', 'verified'],
  [['2001:db8::2'], '2001:db8::1', 'elsewhere'],
  [['2001:db8::2', PUBLIC_IP], PUBLIC_IP, 'verified'],
])('maps addresses %j with the public IP %s to %s', (addresses, publicIp, state) => {
  expect(dnsState(addresses, publicIp)).toEqual({ state, addresses: addresses ?? [] });
});
