import type { RegistrySettings } from '../../build/buildkit/buildkitd-config.ts';
import { createGuardedFetch } from '../../outbound/guarded-fetch.ts';
import { resolveHost } from '../../outbound/resolve-host.ts';
import type { Isolation } from '../../sandbox/isolation.ts';
import { DEFAULT_LIMITS, type KubernetesDeps, type KubernetesLimits } from './deps.ts';
import { createKubernetesEngine, type KubernetesEngine } from './engine.ts';

export type KubernetesEngineDeps = Pick<
  KubernetesDeps,
  'api' | 'logs' | 'dataDir' | 'credentials' | 'logError'
> & {
  installation: string;
  registries: RegistrySettings;
  allowLocalSources: boolean;
  limits?: Partial<KubernetesLimits>;
};

export type PreparedKubernetesEngine = KubernetesEngine & { isolation(): Promise<Isolation> };

/** The start of the names of all namespaces of ours. */
const PREFIX = 'longshore';

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
    owner: { installation, prefix: PREFIX },
    limits: { ...DEFAULT_LIMITS, ...deps.limits },
    fetch: createGuardedFetch({
      allowLocal: deps.allowLocalSources,
      trusted: registry === undefined ? [] : [`${scheme}://${registry.host}`],
      resolve: resolveHost,
    }),
  });
  return { ...engine, isolation: async () => NOT_ISOLATED };
}
