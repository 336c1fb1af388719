import { connectionOf, trustedProxies } from '@longshore/edge-contract';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../config.ts';
import { edgeSettings } from './edge-settings.ts';

const CLUSTER = {
  LONGSHORE_TRUSTED_PROXY: '10.0.0.0/8',
  LONGSHORE_EDGE_ADDRESS: 'edge.example.internal:7443',
  LONGSHORE_EDGE_KEY: 'k'.repeat(32),
};
const POD = '10.244.1.7';
const LOAD_BALANCER = '192.0.2.1';
const CLAIMED = '203.0.113.9';

/** What an edge with the settings of this environment takes a request of this peer for. */
function seenBy(environment: Record<string, string>, remoteAddress: string) {
  const settings = edgeSettings(readConfig(environment, '/'));
  const isTrustedProxy = trustedProxies(settings.trustedProxies, settings.appNetworks);
  const headers = { 'x-forwarded-for': CLAIMED, 'x-forwarded-proto': 'https' };
  return connectionOf({ headers, socket: { remoteAddress } }, isTrustedProxy);
}

describe('the edge in a cluster', () => {
  it('takes no client address from an app, although the console trusts a network with its address', () => {
    expect(seenBy(CLUSTER, POD)).toEqual({ address: POD, protocol: 'http', isProxied: false });
  });

  it('takes client addresses from its own proxies only', () => {
    const environment = { ...CLUSTER, LONGSHORE_EDGE_TRUSTED_PROXY: LOAD_BALANCER };
    expect(seenBy(environment, LOAD_BALANCER)).toMatchObject({ address: CLAIMED, isProxied: true });
    expect(seenBy(environment, POD)).toMatchObject({ address: POD, isProxied: false });
  });
});

it('shares its proxies with the console on one machine', () => {
  const { LONGSHORE_TRUSTED_PROXY } = CLUSTER;
  expect(seenBy({ LONGSHORE_TRUSTED_PROXY }, POD)).toMatchObject({ address: CLAIMED });
});
