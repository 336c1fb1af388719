import type { EdgeSettings } from '@longshore/edge-contract';
import type { Config } from '../config.ts';
import { PROJECT_NETWORKS } from '../engines/docker/subnets.ts';
import { IPV6_NETWORK } from '../sandbox/network/addresses.ts';
import { consolePortOf } from './console-host.ts';

type SettingsConfig = Pick<
  Config,
  'consoleHost' | 'edgeTrustedProxies' | 'httpsPort' | 'network' | 'proxyProtocol' | 'publicUrl'
>;

/** What all edges apply to all apps. The addresses of pods are not among the networks of apps: a cluster chooses them. */
export function edgeSettings(config: SettingsConfig): EdgeSettings {
  return {
    trustedProxies: config.edgeTrustedProxies,
    appNetworks: [config.network, IPV6_NETWORK, PROJECT_NETWORKS],
    proxyProtocol: config.proxyProtocol,
    publicHttpsPort: config.httpsPort,
    consolePort: config.consoleHost === undefined ? undefined : consolePortOf(config.publicUrl),
  };
}
