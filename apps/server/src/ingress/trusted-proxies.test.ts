import { expect, it } from 'vitest';
import { trustedProxies } from './trusted-proxies.ts';

it.each([
  ['10.0.0.1', true],
  ['10.0.0.2', false],
  ['192.168.7.8', true],
  ['192.169.7.8', false],
  ['fd00::1', true],
  ['fe80::1', false],
  ['unknown', false],
  ['', false],
])('%j is trusted: %s', (address, expected) => {
  const isTrusted = trustedProxies(['10.0.0.1', '192.168.0.0/16', 'fd00::/8']);
  expect(isTrusted?.(address)).toBe(expected);
});

it('needs nobody to be asked when none is named', () => {
  expect(trustedProxies([])).toBeUndefined();
});
