import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createSemaphore } from '../../concurrency/semaphore.ts';
import { resolveHost } from '../../outbound/resolve-host.ts';
import { findConfinementTools } from '../../processes/confine.ts';
import type { NetworkSettings } from '../../sandbox/open-sandbox.ts';
import { LOCAL_GIT_CONFIG } from '../local-git-config.ts';
import { DEFAULT_LIMITS, type DockerDeps, type DockerLimits } from './deps.ts';
import { createDockerEngine, type DockerEngine } from './engine.ts';
import { checkoutsFolder } from './folders.ts';
import { createGitSandbox } from './git-sandbox.ts';

export type DockerEngineDeps = Pick<
  DockerDeps,
  | 'docker'
  | 'clock'
  | 'logs'
  | 'dataDir'
  | 'isRoot'
  | 'allowLocalSources'
  | 'nodeImage'
  | 'credentials'
> & {
  installation: string;
  /** For the network of git. */
  network: NetworkSettings;
  limits?: Partial<DockerLimits>;
  logError(error: unknown): void;
};

/** Creates the files that all apps share, and opens the engine, which follows running containers. */
export async function prepareDockerEngine(deps: DockerEngineDeps): Promise<DockerEngine> {
  const folder = join(deps.dataDir, 'programs');
  const localGitConfig = join(folder, 'local-sources.gitconfig');
  await mkdir(folder, { recursive: true, mode: 0o755 });
  await writeFile(localGitConfig, LOCAL_GIT_CONFIG, { mode: 0o644 });
  const { dataDir, isRoot, network: settings, logError } = deps;
  const gitSandbox = createGitSandbox({ dataDir, isRoot, programs: folder, settings, logError });
  const parts: DockerDeps = {
    ...deps,
    owner: { installation: deps.installation },
    limits: { ...DEFAULT_LIMITS, ...deps.limits },
    confinement: findConfinementTools(),
    gitSandbox,
    resolve: resolveHost,
    localGitConfig,
    networkLock: createSemaphore(1),
  };
  // No build runs yet, so these are leftovers of interrupted builds.
  await rm(checkoutsFolder(parts), { recursive: true, force: true });
  const engine = createDockerEngine(parts, logError);
  return {
    ...engine,
    async close() {
      await engine.close();
      await gitSandbox.close();
    },
  };
}
