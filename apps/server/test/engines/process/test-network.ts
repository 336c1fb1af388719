import type { NetworkSettings } from '../../../src/sandbox/open-sandbox.ts';

/** The default network. Engines of other tests use it at the same time. */
export const TEST_NETWORK: NetworkSettings = {
  network: '10.213.0.0/16',
  allowedNetworks: [],
  edge: { host: '127.0.0.1', ports: [8080] },
  builders: { reachesPrivateNetworks: false, forwardedPorts: [], registries: [] },
  baseDomain: 'localhost',
};
