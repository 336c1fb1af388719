import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createSemaphore } from '../../concurrency/semaphore.ts';
import { resolveHost } from '../../outbound/resolve-host.ts';
import { findConfinementTools } from '../../processes/confine.ts';
import { LOCAL_GIT_CONFIG } from '../local-git-config.ts';
import { DEFAULT_LIMITS, type DockerDeps, type DockerLimits } from './deps.ts';
import { createDockerEngine, type DockerEngine } from './engine.ts';
import { checkoutsFolder } from './folders.ts';

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
  | 'sandbox'
> & {
  installation: string;
  limits?: Partial<DockerLimits>;
  logError(error: unknown): void;
};

/** Creates the files that all apps share, and opens the engine, which follows running containers. */
export async function prepareDockerEngine(deps: DockerEngineDeps): Promise<DockerEngine> {
  const folder = join(deps.dataDir, 'programs');
  const localGitConfig = join(folder, 'local-sources.gitconfig');
  await mkdir(folder, { recursive: true, mode: 0o755 });
  await writeFile(localGitConfig, LOCAL_GIT_CONFIG, { mode: 0o644 });
  const parts: DockerDeps = {
    ...deps,
    owner: { installation: deps.installation },
    limits: { ...DEFAULT_LIMITS, ...deps.limits },
    confinement: findConfinementTools(),
    resolve: resolveHost,
    localGitConfig,
    networkLock: createSemaphore(1),
  };
  // No build runs yet, so these are leftovers of interrupted builds.
  await rm(checkoutsFolder(parts), { recursive: true, force: true });
  return createDockerEngine(parts, deps.logError);
}
