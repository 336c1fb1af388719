import { containerImageProblem, registryOfImage } from '@longshore/contract';
import { isPrivateAddress } from '../../outbound/private-address.ts';
import { type WriteLine, withBuildLog } from '../build-log.ts';
import type { BuildProgress, ReleaseSpec } from '../engine.ts';
import { EngineFailure } from '../failure.ts';
import { registryCredentialFor } from '../source-credentials.ts';
import { buildImage } from './build-image.ts';
import type { DockerDeps } from './deps.ts';
import { removeReleaseTag } from './images.ts';
import { pullImage } from './pull-image.ts';
import { readBuiltRevision, recordBuilt } from './releases.ts';

/** Pulls or builds the image of a release, unless it exists already. */
export async function buildRelease(
  spec: ReleaseSpec,
  progress: BuildProgress,
  deps: DockerDeps,
  signal: AbortSignal,
): Promise<{ revision: string }> {
  const existing = await readBuiltRevision(spec, deps, signal);
  if (existing !== undefined) return { revision: existing };
  const revision = await withBuildLog({ spec, logs: deps.logs, signal }, async (writeLine) => {
    try {
      const built = await build({ spec, progress, writeLine }, deps, signal);
      await recordBuilt(spec, built, deps);
      return built;
    } catch (error) {
      await removeResult(spec, deps);
      throw error;
    }
  });
  return { revision };
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
): Promise<string> {
  const { origin } = spec;
  if (origin.kind === 'git') {
    return await buildImage({ spec: { ...spec, origin }, progress, writeLine }, deps, signal);
  }
  progress({ phase: 'fetching' });
  await checkImageAllowed(origin.image, deps, signal);
  const credential = await registryCredentialFor(spec, deps, signal);
  const request = { image: origin.image, release: spec, credential, writeLine };
  const revision = await pullImage(request, deps, signal);
  progress({ phase: 'building', revision });
  return revision;
}

/** Refuses registries in private networks, unless the operator allows them. */
async function checkImageAllowed(
  image: string,
  { allowLocalSources, resolve }: Pick<DockerDeps, 'allowLocalSources' | 'resolve'>,
  signal: AbortSignal,
): Promise<void> {
  const problem = containerImageProblem(image);
  if (problem !== undefined) throw new EngineFailure('source-not-allowed', [problem]);
  const host = registryHost(image);
  if (host === undefined || allowLocalSources) return;
  const addresses = await resolve(host, signal);
  if (!addresses.some(isPrivateAddress)) return;
  throw new EngineFailure('source-not-allowed', [`${host} is in a private network`]);
}

export function registryHost(image: string): string | undefined {
  return registryOfImage(image)?.replace(/:\d+$/, '');
}
