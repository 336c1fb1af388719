import type { Config } from './config.ts';
import type { EngineChoices } from './engines/open-engine.ts';
import type { ProcessEngineDeps } from './engines/process/deps.ts';
import { createToolchain } from './home/toolchain.ts';

type EngineDeps = Pick<
  ProcessEngineDeps,
  'home' | 'isRoot' | 'clock' | 'logs' | 'logInfo' | 'mayRun' | 'credentials'
> & {
  installation: string;
  logError: (error: unknown) => void;
};

/** The engines this machine may have. Only the one that is used is loaded. */
export function engineChoices(config: Config, deps: EngineDeps): EngineChoices {
  return {
    home: deps.home,
    wished: config.engine,
    logError: deps.logError,
    async isDockerAnswering() {
      const { isDockerAnswering } = await import('./engines/docker/is-docker-answering.ts');
      return await isDockerAnswering(await dockerApi(config));
    },
    create: {
      async process() {
        const { createProcessEngine } = await import('./engines/process/engine.ts');
        const { home, isRoot } = deps;
        const nodePath = process.execPath;
        return await createProcessEngine({
          ...deps,
          allowLocalSources: config.allowLocalSources,
          toolchain: await createToolchain({
            home,
            isRoot,
            nodePath,
            nodeVersion: process.version,
          }),
        });
      },
      async docker() {
        const { prepareDockerEngine } = await import('./engines/docker/prepare-engine.ts');
        return await prepareDockerEngine({
          ...deps,
          docker: await dockerApi(config),
          allowLocalSources: config.allowLocalSources,
          nodeImage: config.nodeImage,
        });
      },
    },
  };
}

async function dockerApi({ dockerSocket }: Config) {
  const { createDockerApi } = await import('./engines/docker/docker-api.ts');
  return createDockerApi(dockerSocket);
}
