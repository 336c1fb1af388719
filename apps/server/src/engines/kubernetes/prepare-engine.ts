import { networkInterfaces } from 'node:os';
import type { RegistrySettings } from '../../build/buildkit/buildkitd-config.ts';
import { createGuardedFetch } from '../../outbound/guarded-fetch.ts';
import { resolveHost } from '../../outbound/resolve-host.ts';
import type { Isolation } from '../../sandbox/isolation.ts';
import { DEFAULT_LIMITS, type KubernetesDeps, type KubernetesLimits } from './deps.ts';
import { createKubernetesEngine, type KubernetesEngine } from './engine.ts';
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
  registries: RegistrySettings;
  allowLocalSources: boolean;
  limits?: Partial<KubernetesLimits>;
};

export type PreparedKubernetesEngine = KubernetesEngine & { isolation(): Promise<Isolation> };

/** Until network policies are set up, only operators may deploy. */
const NOT_ISOLATED: Isolation = {
  kind: 'not-isolated',
  missing: ['On Kubernetes, this version does not separate the networks of projects yet.'],
  packages: [],
};

export function prepareKubernetesEngine(deps: KubernetesEngineDeps): PreparedKubernetesEngine {
  const { api, logs, dataDir, credentials, logError, registries, installation } = deps;
  const { registry } = registries;
  const scheme = registry?.isInsecure === true ? 'http' : 'https';
  const engine = createKubernetesEngine({
    api,
    logs,
    dataDir,
    credentials,
    logError,
    registries,
    owner: { installation, prefix: deps.namespacePrefix },
    network: () => projectNetwork(deps),
    limits: { ...DEFAULT_LIMITS, ...deps.limits },
    fetch: createGuardedFetch({
      allowLocal: deps.allowLocalSources,
      trusted: registry === undefined ? [] : [`${scheme}://${registry.host}`],
      resolve: resolveHost,
    }),
  });
  return { ...engine, isolation: async () => NOT_ISOLATED };
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
