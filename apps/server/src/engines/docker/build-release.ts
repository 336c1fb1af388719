import { containerImageProblem, registryOfImage } from '@longshore/contract';
import { hostOfImage } from '../../build/registry-host.ts';
import { isPrivateAddress } from '../../outbound/private-address.ts';
import { type WriteLine, withBuildLog } from '../build-log.ts';
import type { Build, BuildProgress, ReleaseSpec } from '../engine.ts';
import { EngineFailure } from '../failure.ts';
import { buildImage, type Copy } from '../image-build/build-image.ts';
import type { BuildOptions } from '../image-build/run-build.ts';
import { copyOntoNodeImage } from './copy-onto-node-image.ts';
import type { DockerDeps } from './deps.ts';
import { fetchImage } from './fetch-image.ts';
import { appFolder } from './folders.ts';
import { spaceWithoutCaches } from './guarded-machine.ts';
import { removeReleaseTag } from './images.ts';
import { readBuild, recordBuilt } from './releases.ts';
import { runBuild } from './run-build.ts';

/** Pulls or builds the image of a release, unless it exists already. */
export async function buildRelease(
  spec: ReleaseSpec,
  progress: BuildProgress,
  deps: DockerDeps,
  signal: AbortSignal,
): Promise<Build> {
  const existing = await readBuild(spec, deps, signal);
  if (existing !== undefined) return existing;
  return await withBuildLog({ spec, logs: deps.logs, signal }, async (writeLine) => {
    try {
      const built = await build({ spec, progress, writeLine }, deps, signal);
      await recordBuilt(spec, built, deps);
      return built;
    } catch (error) {
      await removeResult(spec, deps);
      throw error;
    }
  });
}

/**
 * An interrupted build or pull may have finished nevertheless. Errors are ignored: when Docker is down, the next build of this
 * release replaces the image.
 */
async function removeResult(spec: ReleaseSpec, deps: DockerDeps): Promise<void> {
  await removeReleaseTag(spec, deps, new AbortController().signal).catch(() => {});
}

type BuildRequest = { spec: ReleaseSpec; progress: BuildProgress; writeLine: WriteLine };

async function build(
  { spec, progress, writeLine }: BuildRequest,
  deps: DockerDeps,
  signal: AbortSignal,
): Promise<Build> {
  const { origin } = spec;
  if ((await spaceWithoutCaches(deps)) === 'short') throw new EngineFailure('disk-full');
  if (origin.kind === 'git') {
    const sourceDeps = {
      ...deps,
      appFolder: (appId: string) => appFolder(appId, deps),
      sandboxOptions: deps.sandbox.fetchOptions,
      copyImage: (copy: Copy, copySignal: AbortSignal) => copyOntoNodeImage(copy, deps, copySignal),
      runBuild: (options: BuildOptions, buildSignal: AbortSignal) =>
        runBuild(options, deps, buildSignal),
    };
    return await buildImage({ spec: { ...spec, origin }, progress, writeLine }, sourceDeps, signal);
  }
  progress({ phase: 'fetching' });
  await checkImageAllowed(origin.image, deps, signal);
  const revision = await fetchImage({ spec, image: origin.image, writeLine }, deps, signal);
  progress({ phase: 'building', revision });
  return { revision, inputs: { arguments: [], startCommand: false } };
}

/** Refuses registries in private networks, unless the operator allows them or it is the operator's own. */
async function checkImageAllowed(
  image: string,
  { allowLocalSources, registries, resolve }: DockerDeps,
  signal: AbortSignal,
): Promise<void> {
  const problem = containerImageProblem(image);
  if (problem !== undefined) throw new EngineFailure('source-not-allowed', [problem]);
  const host = registryHost(image);
  if (host === undefined || allowLocalSources) return;
  if (hostOfImage(image) === registries.registry?.host) return;
  const addresses = await resolve(host, signal);
  if (!addresses.some(isPrivateAddress)) return;
  throw new EngineFailure('source-not-allowed', [`${host} is in a private network`]);
}

export function registryHost(image: string): string | undefined {
  return registryOfImage(image)?.replace(/:\d+$/, '');
}
