import { mkdir, rm, writeFile } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '@longshore/edge-contract';
import type { RegistrySettings } from '../../build/buildkit/buildkitd-config.ts';
import { createGuardedFetch } from '../../outbound/guarded-fetch.ts';
import { resolveHost } from '../../outbound/resolve-host.ts';
import { findConfinementTools } from '../../processes/confine.ts';
import type { Isolation } from '../../sandbox/isolation.ts';
import { checkoutsFolder } from '../image-build/build-image.ts';
import { LOCAL_GIT_CONFIG } from '../local-git-config.ts';
import { createPodBuilders } from './builder/builders.ts';
import {
  DEFAULT_LIMITS,
  type EngineParts,
  type KubernetesDeps,
  type KubernetesLimits,
} from './deps.ts';
import { createKubernetesEngine, type KubernetesEngine } from './engine.ts';
import { createIsolationCheck } from './isolation.ts';
import { readClusterId, updateNamespaces } from './namespaces.ts';
import { probeNetworkPolicies } from './network-probe.ts';
import type { ProjectNetwork } from './project-objects.ts';

export type KubernetesEngineDeps = Pick<
  KubernetesDeps,
  | 'api'
  | 'logs'
  | 'records'
  | 'dataDir'
  | 'credentials'
  | 'logError'
  | 'isRoot'
  | 'nodeImage'
  | 'builderImage'
  | 'builderStorageClass'
  | 'maxBuilders'
  | 'downloadUpload'
> & {
  installation: string;
  /** The start of the names of all namespaces of ours. */
  namespacePrefix: string;
  /** Where this server runs; undefined outside of the cluster. */
  namespace: string | undefined;
  network: { allowedNetworks: string[]; edgePorts: number[] };
  clock: Clock;
  logInfo(text: string): void;
  registries: RegistrySettings;
  allowLocalSources: boolean;
  limits?: Partial<KubernetesLimits>;
};

export type PreparedKubernetesEngine = KubernetesEngine & { isolation(): Promise<Isolation> };

export async function prepareKubernetesEngine(
  deps: KubernetesEngineDeps,
): Promise<PreparedKubernetesEngine> {
  const { api, dataDir, logError, registries, installation } = deps;
  const { registry } = registries;
  const scheme = registry?.isInsecure === true ? 'http' : 'https';
  const owner = { installation, prefix: deps.namespacePrefix };
  const network = () => projectNetwork(deps);
  const { isolation, close } = createIsolationCheck({
    records: deps.records,
    clock: deps.clock,
    readClusterId: (signal) => readClusterId({ api }, signal),
    probe: (signal) => probeNetworkPolicies({ api, owner, image: deps.nodeImage }, signal),
    updateNamespaces: (signal) => updateNamespaces({ api, owner, network }, signal),
    logInfo: deps.logInfo,
    logError,
  });
  const programs = join(dataDir, 'programs');
  const localGitConfig = join(programs, 'local-sources.gitconfig');
  await mkdir(programs, { recursive: true, mode: 0o755 });
  await writeFile(localGitConfig, LOCAL_GIT_CONFIG, { mode: 0o644 });
  // No build runs yet, so these are leftovers of interrupted builds.
  await rm(checkoutsFolder(deps), { recursive: true, force: true });
  const parts: EngineParts = {
    ...deps,
    owner,
    network,
    confinement: findConfinementTools(),
    resolve: resolveHost,
    localGitConfig,
    limits: { ...DEFAULT_LIMITS, ...deps.limits },
    fetch: createGuardedFetch({
      allowLocal: deps.allowLocalSources,
      trusted: registry === undefined ? [] : [`${scheme}://${registry.host}`],
      resolve: resolveHost,
    }),
  };
  const engine = createKubernetesEngine({ ...parts, builders: createPodBuilders(parts) });
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
