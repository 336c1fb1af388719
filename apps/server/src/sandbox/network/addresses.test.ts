import { describe, expect, it } from 'vitest';
import {
  addressAt,
  gatewayOf,
  ipv6Of,
  isAppAddress,
  networkText,
  nextAddress,
  parseNetwork,
} from './addresses.ts';

function network(text: string) {
  const parsed = parseNetwork(text);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.network;
}

const large = network('10.213.0.0/16');
/** 13 addresses for programs: .2 to .14. */
const small = network('192.168.7.0/28');

describe('the network setting', () => {
  it.each(['10.213.0.0/16', '172.20.0.0/14', '192.168.4.0/24', '100.64.0.0/10', '10.0.0.0/8'])(
    'accepts %s',
    (text) => {
      expect(networkText(network(text))).toBe(text);
    },
  );

  it.each([
    ['10.213.0.0', 'must be an IPv4 network such as 10.213.0.0/16, not "10.213.0.0".'],
    ['fd00::/64', 'must be an IPv4 network such as 10.213.0.0/16, not "fd00::/64".'],
    ['10.300.0.0/16', 'must be an IPv4 network such as 10.213.0.0/16, not "10.300.0.0/16".'],
    [
      '10.0.0.0/16; flush',
      'must be an IPv4 network such as 10.213.0.0/16, not "10.0.0.0/16; flush".',
    ],
    ['10.213.0.0/30', 'must have between 8 and 28 bits, not "10.213.0.0/30".'],
    [
      '10.213.0.1/16',
      'must start at the first address of the network: 10.213.0.0/16, not "10.213.0.1/16".',
    ],
    [
      '8.8.0.0/16',
      'must lie in 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16 or 100.64.0.0/10, not "8.8.0.0/16".',
    ],
    [
      '172.0.0.0/8',
      'must lie in 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16 or 100.64.0.0/10, not "172.0.0.0/8".',
    ],
  ])('refuses %s', (text, problem) => {
    expect(parseNetwork(text)).toEqual({ ok: false, problem });
  });
});

describe('addresses of programs', () => {
  it.each([
    ['the next one', large, '10.213.0.9', [], '10.213.0.10'],
    ['over a byte', large, '10.213.0.255', [], '10.213.1.0'],
    ['past used ones', large, '10.213.0.9', ['10.213.0.10', '10.213.0.11'], '10.213.0.12'],
    ['from the end to the start', small, '192.168.7.14', [], '192.168.7.2'],
  ])('go on: %s', (_, of, previous, used, expected) => {
    expect(nextAddress(of, previous, new Set(used))).toBe(expected);
  });

  it('are all given once before one is given again, and none of the gateway', () => {
    const used = new Set<string>();
    for (
      let address: string | undefined = addressAt(small, 0.5);
      address !== undefined;
      address = nextAddress(small, address, used)
    ) {
      used.add(address);
    }
    expect(used.size).toBe(13);
    expect([...used].every((it) => isAppAddress(small, it))).toBe(true);
    expect(used.has(gatewayOf(small))).toBe(false);
  });

  it.each([
    [0, '10.213.0.2'],
    [0.999_999_9, '10.213.255.254'],
  ])('start anywhere: %d', (fraction, expected) => {
    expect(addressAt(large, fraction)).toBe(expected);
  });

  it.each([
    ['10.213.0.2', true],
    ['10.213.0.1', false],
    ['10.213.0.0', false],
    ['10.213.255.255', false],
    ['10.214.0.2', false],
    ['10.213.0.2 accept', false],
  ])('are recognised: %s', (address, expected) => {
    expect(isAppAddress(large, address)).toBe(expected);
  });

  it.each([
    ['10.213.1.2', 'fd5c:9a27:e1b4:213::ad5:102'],
    ['10.213.0.0', 'fd5c:9a27:e1b4:213::ad5:0'],
  ])('have an IPv6 address: %s', (address, expected) => {
    expect(ipv6Of(address)).toBe(expected);
  });
});
