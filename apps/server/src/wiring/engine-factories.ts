import { systemClock } from '@longshore/edge-contract';
import type { DownloadUpload } from '../build/unpack-upload.ts';
import type { Config } from '../config.ts';
import { createDockerApi, dockerVersion, isDockerAvailable } from '../engines/docker/docker-api.ts';
import { prepareDockerEngine } from '../engines/docker/prepare-engine.ts';
import type { Engine } from '../engines/engine.ts';
import type { EngineRecords } from '../engines/engine-records.ts';
import { openCluster } from '../engines/kubernetes/open-cluster.ts';
import { prepareKubernetesEngine } from '../engines/kubernetes/prepare-engine.ts';
import type { EngineFactories } from '../engines/open-engine.ts';
import type { ProcessEngineDeps } from '../engines/process/deps.ts';
import { createProcessEngine } from '../engines/process/engine.ts';
import type { NetworkSettings } from '../sandbox/open-sandbox.ts';
import { createToolchain } from '../toolchain/toolchain.ts';

type EngineDeps = Pick<
  ProcessEngineDeps,
  'dataDir' | 'isRoot' | 'clock' | 'logs' | 'logInfo' | 'credentials'
> & {
  installation: string;
  /** Of the Kubernetes engine. */
  records: EngineRecords;
  downloadUpload?: DownloadUpload | undefined;
  logError: (error: unknown) => void;
};

/** Creates the engines by their kind. */
export function createEngineFactories(config: Config, deps: EngineDeps): EngineFactories {
  const { dataDir, isRoot, clock, logs, credentials, logError } = deps;
  const { allowLocalSources, builds } = config;
  return {
    dataDir,
    configuredKind: config.engine,
    logError,
    isDockerAvailable: () => isDockerAvailable(createDockerApi(config.dockerSocket)),
    async requireAvailable(kind) {
      if (kind === 'kubernetes') await openCluster(config);
    },
    create: {
      async process() {
        const engine = await createProcessEngine({
          dataDir,
          isRoot,
          clock,
          logs,
          credentials,
          allowLocalSources,
          logInfo: deps.logInfo,
          logError,
          network: networkSettings(config),
          limits: { build: builds.limits },
          toolchain: await createToolchain({
            dataDir,
            isRoot,
            nodePath: process.execPath,
            nodeVersion: process.version,
          }),
        });
        return { ...engine, isolation: async () => engine.isolation };
      },
      async docker() {
        return await prepareDockerEngine({
          dataDir,
          isRoot,
          clock,
          logs,
          credentials,
          allowLocalSources,
          installation: deps.installation,
          network: networkSettings(config),
          limits: { buildMemoryBytes: builds.limits.memoryBytes },
          logError,
          docker: createDockerApi(config.dockerSocket),
          nodeImage: config.nodeImage,
          builderImage: config.builderImage,
          registries: config.registries,
          prefetchesImages: true,
        });
      },
      async kubernetes() {
        const { api, namespace } = await openCluster(config);
        const { edge, allowedNetworks } = networkSettings(config);
        return await prepareKubernetesEngine({
          api,
          namespace,
          records: deps.records,
          namespacePrefix: config.namespacePrefix,
          network: { allowedNetworks, edgePorts: edge.ports },
          clock: systemClock,
          logInfo: deps.logInfo,
          dataDir,
          isRoot,
          logs,
          credentials,
          allowLocalSources,
          installation: deps.installation,
          registries: config.registries,
          nodeImage: config.nodeImage,
          builderImage: config.builderImage,
          builderStorageClass: config.builderStorageClass,
          maxBuilders: builds.max,
          downloadUpload: deps.downloadUpload,
          limits: { buildMemoryBytes: builds.limits.memoryBytes },
          logError,
        });
      },
    },
  };
}

/** Undefined for engines that are part of this program. */
export async function engineVersion(
  config: Config,
  kind: Engine['kind'],
  signal: AbortSignal,
): Promise<string | undefined> {
  if (kind === 'process') return undefined;
  if (kind === 'kubernetes') return (await openCluster(config)).version;
  return await dockerVersion(createDockerApi(config.dockerSocket), signal);
}

function networkSettings(config: Config): NetworkSettings {
  const { network, allowedNetworks, host, ingressPort, httpsPort, baseDomain } = config;
  return {
    network,
    allowedNetworks,
    edge: { host, ports: [ingressPort, httpsPort].filter((port) => port !== undefined) },
    builders: {
      reachesPrivateNetworks: config.allowLocalSources,
      forwardedPorts: [],
      registries: [],
    },
    baseDomain,
  };
}
