import { networkInterfaces } from 'node:os';
import type { Clock } from '@longshore/edge-contract';
import type { RegistrySettings } from '../../build/buildkit/buildkitd-config.ts';
import { createGuardedFetch } from '../../outbound/guarded-fetch.ts';
import { resolveHost } from '../../outbound/resolve-host.ts';
import type { Isolation } from '../../sandbox/isolation.ts';
import { DEFAULT_LIMITS, type KubernetesDeps, type KubernetesLimits } from './deps.ts';
import { createKubernetesEngine, type KubernetesEngine } from './engine.ts';
import { createIsolationCheck } from './isolation.ts';
import { updateNamespaces } from './namespaces.ts';
import { probeNetworkPolicies } from './network-probe.ts';
import type { ProjectNetwork } from './project-objects.ts';

export type KubernetesEngineDeps = Pick<
  KubernetesDeps,
  'api' | 'logs' | 'dataDir' | 'credentials' | 'logError'
> & {
  installation: string;
  /** The start of the names of all namespaces of ours. */
  namespacePrefix: string;
  /** Where this server runs; undefined outside of the cluster. */
  namespace: string | undefined;
  network: { allowedNetworks: string[]; edgePorts: number[] };
  clock: Clock;
  logInfo(text: string): void;
  /** Contains Node.js. */
  nodeImage: string;
  registries: RegistrySettings;
  allowLocalSources: boolean;
  limits?: Partial<KubernetesLimits>;
};

export type PreparedKubernetesEngine = KubernetesEngine & { isolation(): Promise<Isolation> };

export function prepareKubernetesEngine(deps: KubernetesEngineDeps): PreparedKubernetesEngine {
  const { api, logs, dataDir, credentials, logError, registries, installation } = deps;
  const { registry } = registries;
  const scheme = registry?.isInsecure === true ? 'http' : 'https';
  const owner = { installation, prefix: deps.namespacePrefix };
  const network = () => projectNetwork(deps);
  const { isolation, close } = createIsolationCheck({
    dataDir,
    clock: deps.clock,
    probe: (signal) => probeNetworkPolicies({ api, owner, image: deps.nodeImage }, signal),
    updateNamespaces: (signal) => updateNamespaces({ api, owner, network }, signal),
    logInfo: deps.logInfo,
    logError,
  });
  const engine = createKubernetesEngine({
    api,
    logs,
    dataDir,
    credentials,
    logError,
    registries,
    owner,
    network,
    limits: { ...DEFAULT_LIMITS, ...deps.limits },
    fetch: createGuardedFetch({
      allowLocal: deps.allowLocalSources,
      trusted: registry === undefined ? [] : [`${scheme}://${registry.host}`],
      resolve: resolveHost,
    }),
  });
  return {
    ...engine,
    isolation,
    async close() {
      await Promise.all([close(), engine.close()]);
    },
  };
}

/** A server outside of the cluster connects to apps from an address of its machine. */
function projectNetwork({ namespace, network }: KubernetesEngineDeps): ProjectNetwork {
  const { allowedNetworks, edgePorts: ports } = network;
  if (namespace !== undefined) {
    return { allowedNetworks, gateway: { kind: 'pods', namespace, ports } };
  }
  const addresses = Object.values(networkInterfaces())
    .flatMap((found) => found ?? [])
    .filter(({ internal, scopeid = 0 }) => !internal && scopeid === 0)
    .map(({ address }) => address);
  return { allowedNetworks, gateway: { kind: 'addresses', addresses: addresses.sort(), ports } };
}
