import type { Config } from '../config.ts';
import type { EngineFactories } from '../engines/open-engine.ts';
import type { ProcessEngineDeps } from '../engines/process/deps.ts';
import type { NetworkSettings } from '../sandbox/open-sandbox.ts';
import { createToolchain } from '../toolchain/toolchain.ts';

type EngineDeps = Pick<
  ProcessEngineDeps,
  'dataDir' | 'isRoot' | 'clock' | 'logs' | 'logInfo' | 'credentials'
> & {
  installation: string;
  logError: (error: unknown) => void;
};

/** Creates the engines by their kind. The code of an engine is loaded when it is first needed. */
export function createEngineFactories(config: Config, deps: EngineDeps): EngineFactories {
  const { dataDir, isRoot, clock, logs, credentials, logError } = deps;
  const { allowLocalSources } = config;
  return {
    dataDir,
    configuredKind: config.engine,
    logError,
    async isDockerAvailable() {
      const { isDockerAvailable } = await import('../engines/docker/docker-api.ts');
      return await isDockerAvailable(await openDockerApi(config));
    },
    create: {
      async process() {
        const { createProcessEngine } = await import('../engines/process/engine.ts');
        return await createProcessEngine({
          dataDir,
          isRoot,
          clock,
          logs,
          credentials,
          allowLocalSources,
          logInfo: deps.logInfo,
          logError,
          network: networkSettings(config),
          toolchain: await createToolchain({
            dataDir,
            isRoot,
            nodePath: process.execPath,
            nodeVersion: process.version,
          }),
        });
      },
      async docker() {
        const { prepareDockerEngine } = await import('../engines/docker/prepare-engine.ts');
        const engine = await prepareDockerEngine({
          dataDir,
          isRoot,
          clock,
          logs,
          credentials,
          allowLocalSources,
          installation: deps.installation,
          network: networkSettings(config),
          logError,
          docker: await openDockerApi(config),
          nodeImage: config.nodeImage,
        });
        return { ...engine, isolation: { kind: 'isolated' } };
      },
    },
  };
}

function networkSettings(config: Config): NetworkSettings {
  const { network, allowedNetworks, host, ingressPort, baseDomain } = config;
  return { network, allowedNetworks, edge: { host, ports: [ingressPort] }, baseDomain };
}

async function openDockerApi({ dockerSocket }: Config) {
  const { createDockerApi } = await import('../engines/docker/docker-api.ts');
  return createDockerApi(dockerSocket);
}
