import { describe, expect, it } from 'vitest';
import type { Bridge } from '../../sandbox/network/bridge-ruleset.ts';
import { bridgeOf, createNetworkFirewall, type Network } from './firewall.ts';

const ID = '0123456789abcdef0123456789abcdef';

function network(changes: Partial<Network> = {}): Network {
  const IPAM = { Config: [{ Subnet: '172.18.0.0/16', Gateway: '172.18.0.1' }] };
  return { Id: ID, Name: 'shop', Labels: null, Options: null, IPAM, ...changes };
}

describe('the bridge of a network', () => {
  it.each<[string, Partial<Network>, Bridge]>([
    [
      'has a part of its id',
      {},
      {
        device: 'br-0123456789ab',
        networks: [{ subnet: '172.18.0.0/16', gateway: '172.18.0.1' }],
      },
    ],
    [
      'has the name that the operator chose',
      { Options: { 'com.docker.network.bridge.name': 'shop0' }, IPAM: { Config: null } },
      { device: 'shop0', networks: [] },
    ],
    [
      'has the first address where Docker names none',
      { IPAM: { Config: [{ Subnet: '10.212.0.64/26' }, { Subnet: 'fd12:0:1::/64' }, {}] } },
      {
        device: 'br-0123456789ab',
        networks: [
          { subnet: '10.212.0.64/26', gateway: '10.212.0.65' },
          { subnet: 'fd12:0:1::/64', gateway: 'fd12:0:1::1' },
        ],
      },
    ],
  ])('%s', (_, changes, bridge) => {
    expect(bridgeOf(network(changes))).toEqual(bridge);
  });
});

describe('a firewall that cannot be set', () => {
  function create(isWorking: () => boolean) {
    const filter = async () => {
      if (!isWorking()) throw new Error('no rules');
    };
    const firewall = createNetworkFirewall({ filter, repair: filter }, () => {});
    firewall.close();
    return firewall;
  }

  it('does not keep apps of the first account from starting', async () => {
    const firewall = create(() => false);
    await firewall.filter([network()]);
    expect(firewall.isActive()).toBe(false);
  });

  it('keeps apps from starting unfiltered if it could be set before', async () => {
    let isWorking = true;
    const firewall = create(() => isWorking);
    await firewall.filter([network()]);
    expect(firewall.isActive()).toBe(true);
    isWorking = false;
    await expect(firewall.filter([network()])).rejects.toThrow('no rules');
  });
});
