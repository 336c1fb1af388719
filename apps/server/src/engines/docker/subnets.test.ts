import { describe, expect, it } from 'vitest';
import { findFreePool, freeAddress, routedNetworks } from './subnets.ts';

describe('findFreePool', () => {
  it.each([
    [[], [], '10.212.0.0/24'],
    [['10.212.0.0/24', 'fd00::/64', '172.17.0.0/16'], [], '10.212.1.0/24'],
    [['10.212.0.64/26'], ['10.212.1.70'], '10.212.2.0/24'],
    [['10.212.0.0/15'], [], '10.214.0.0/24'],
  ])('with networks %j and addresses %j is %s', (taken, own, subnet) => {
    expect(findFreePool(taken, own)?.Subnet).toBe(subnet);
  });

  it('leaves the second half of the subnet to Docker', () => {
    expect(findFreePool([], [])).toEqual({
      Subnet: '10.212.0.0/24',
      Gateway: '10.212.0.1',
      IPRange: '10.212.0.128/25',
    });
  });

  it('finds nothing when all are used', () => {
    expect(findFreePool(['10.0.0.0/8'], [])).toBeUndefined();
  });
});

describe('freeAddress', () => {
  const own = { IPAM: { Config: [findFreePool([], []) ?? {}] } };
  const first = () => 0;
  const last = () => 0.999;

  it.each([
    ['goes round', [], last, '10.212.0.2'],
    ['starts anywhere', [], () => 0.5, '10.212.0.65'],
    ['skips used ones', ['10.212.0.3', '10.212.0.4'], first, '10.212.0.5'],
  ])('%s', (_, used, random, address) => {
    expect(freeAddress(own, new Set(used), random)).toBe(address);
  });

  it('uses the first half only, without the gateway', () => {
    const used = new Set<string>();
    for (;;) {
      const address = freeAddress(own, used, first);
      if (address === undefined) break;
      used.add(address);
    }
    const numbers = [...used].map((address) => Number(address.split('.')[3])).sort((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 125 }, (_, index) => index + 2));
  });

  it.each([
    ['Docker chooses all addresses', { Subnet: '172.18.0.0/16', Gateway: '172.18.0.1' }],
    ['an earlier version chose the subnet', { Subnet: '10.212.0.64/26' }],
    ['the operator chose other ranges', { Subnet: '10.9.0.0/16', IPRange: '10.9.1.0/24' }],
    ['addresses are IPv6', { Subnet: 'fd12::/64', IPRange: 'fd12::1:0/112' }],
  ])('is undefined where %s', (_, pool) => {
    expect(freeAddress({ IPAM: { Config: [pool] } }, new Set(), first)).toBeUndefined();
  });
});

it('reads the routes of the machine, except the default one', () => {
  const table = [
    'Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT',
    'eth0\t00000000\t0102A8C0\t0003\t0\t0\t0\t00000000\t0\t0\t0',
    'tun0\t0000D40A\t00000000\t0001\t0\t0\t0\t0000FEFF\t0\t0\t0',
    'eth0\t0002A8C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0',
    '',
  ];
  expect(routedNetworks(table.join('\n'))).toEqual(['10.212.0.0/15', '192.168.2.0/24']);
});
