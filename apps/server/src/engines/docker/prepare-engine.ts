import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openRegistryForwarders } from '../../build/buildkit/open-forwarders.ts';
import { createSemaphore } from '../../concurrency/semaphore.ts';
import { resolveHost } from '../../outbound/resolve-host.ts';
import { findConfinementTools } from '../../processes/confine.ts';
import type { Isolation } from '../../sandbox/isolation.ts';
import { createBridgeFirewall } from '../../sandbox/network/bridge-firewall.ts';
import { installationOf, type NetworkSettings } from '../../sandbox/open-sandbox.ts';
import { checkoutsFolder } from '../image-build/build-image.ts';
import { LOCAL_GIT_CONFIG } from '../local-git-config.ts';
import { ensureBuilderImage } from './builder/builder-image.ts';
import { type BuilderPriority, createBuilderPriority } from './builder/builder-priority.ts';
import { createBuilders } from './builder/builders.ts';
import { removeLeftCopies } from './copy-onto-node-image.ts';
import { DEFAULT_LIMITS, type DockerDeps, type DockerLimits, type EngineParts } from './deps.ts';
import { createDockerEngine, type DockerEngine } from './engine.ts';
import { createNetworkFirewall } from './firewall.ts';
import { createIsolationCheck } from './isolation.ts';
import { createMachineSpace } from './machine-space.ts';
import { pullOperatorImage } from './pull-operator-image.ts';
import { createDockerSandbox } from './sandbox.ts';

const RESOLVE_TIMEOUT_MS = 10_000;
const CLEAR_TIMEOUT_MS = 10_000;

export type DockerEngineDeps = Pick<
  DockerDeps,
  | 'docker'
  | 'clock'
  | 'logs'
  | 'dataDir'
  | 'isRoot'
  | 'allowLocalSources'
  | 'nodeImage'
  | 'builderImage'
  | 'registries'
  | 'logError'
  | 'credentials'
> & {
  installation: string;
  /** For the network of git and builders, and for what containers reach. */
  network: NetworkSettings;
  limits?: Partial<DockerLimits>;
  builderPriority?: BuilderPriority;
  /** Whether the engine pulls the images that builds need before the first build. */
  prefetchesImages?: boolean;
};

export type PreparedDockerEngine = DockerEngine & { isolation(): Promise<Isolation> };

/** Creates the files that all apps share, and opens the engine, which follows running containers. */
export async function prepareDockerEngine(deps: DockerEngineDeps): Promise<PreparedDockerEngine> {
  const folder = join(deps.dataDir, 'programs');
  const localGitConfig = join(folder, 'local-sources.gitconfig');
  await mkdir(folder, { recursive: true, mode: 0o755 });
  await writeFile(localGitConfig, LOCAL_GIT_CONFIG, { mode: 0o644 });
  const { dataDir, isRoot, logError } = deps;
  const forwarders = await openRegistryForwarders(
    deps.registries,
    { resolve: resolveHost, logError },
    AbortSignal.timeout(RESOLVE_TIMEOUT_MS),
  );
  const settings = withForwardedPorts(deps.network, Object.values(forwarders.ports));
  const sandbox = createDockerSandbox({ dataDir, isRoot, programs: folder, settings, logError });
  const bridges = createBridgeFirewall({ installation: installationOf(dataDir), ...settings });
  const firewall = createNetworkFirewall(bridges, logError);
  const parts: EngineParts = {
    builderPriority: createBuilderPriority(),
    ...deps,
    owner: { installation: deps.installation },
    limits: { ...DEFAULT_LIMITS, ...deps.limits },
    confinement: findConfinementTools(),
    sandbox,
    forwarders,
    firewall,
    storage: { hasDiskLimit: true },
    baseDomain: settings.baseDomain,
    reservedNetwork: settings.network,
    resolve: resolveHost,
    localGitConfig,
    networkLock: createSemaphore(1),
    loadLock: createSemaphore(1),
    space: createMachineSpace(deps),
  };
  // No build runs yet, so these are leftovers of interrupted builds.
  await rm(checkoutsFolder(parts), { recursive: true, force: true });
  // Docker may be down: then a copy of the same release removes its own.
  await removeLeftCopies(parts, AbortSignal.timeout(CLEAR_TIMEOUT_MS)).catch(() => {});
  const builders = createBuilders(parts);
  const all = { ...parts, builders };
  const engine = createDockerEngine(all, logError);
  const closing = new AbortController();
  const fetching = deps.prefetchesImages === true ? prefetchImages(all, closing.signal) : undefined;
  return {
    ...engine,
    isolation: createIsolationCheck(all),
    async close() {
      closing.abort();
      await fetching;
      await engine.close();
      await builders.close();
      firewall.close();
      await sandbox.close();
      await forwarders.close();
    },
  };
}

/** The Node image also if the engine has an older one. A build that needs an image which cannot be pulled says so. */
async function prefetchImages(deps: DockerDeps, signal: AbortSignal): Promise<void> {
  await pullOperatorImage(deps.nodeImage, deps, signal).catch(() => {});
  await ensureBuilderImage(deps, () => {}, signal).catch(() => {});
}

function withForwardedPorts(network: NetworkSettings, ports: number[]): NetworkSettings {
  const { builders } = network;
  return {
    ...network,
    builders: { ...builders, forwardedPorts: [...builders.forwardedPorts, ...ports] },
  };
}
