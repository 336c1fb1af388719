import { containerImageProblem, registryOfImage } from '@longshore/contract';
import { isPrivateAddress } from '../../outbound/private-address.ts';
import { type WriteLine, withBuildLog } from '../build-log.ts';
import type { BuildProgress, ReleaseSpec } from '../engine.ts';
import { EngineFailure } from '../failure.ts';
import { registryCredentialFor } from '../source-credentials.ts';
import { buildImage } from './build-image.ts';
import type { DockerDeps } from './deps.ts';
import { pullImage } from './pull-image.ts';
import { readBuiltRevision, recordBuilt } from './releases.ts';

/** Makes the image of a release: pulled, or built of a checkout. A finished one is not made again. */
export async function buildRelease(
  spec: ReleaseSpec,
  progress: BuildProgress,
  parts: DockerDeps,
  signal: AbortSignal,
): Promise<{ revision: string }> {
  const built = await readBuiltRevision(spec, parts, signal);
  if (built !== undefined) return { revision: built };
  const revision = await withBuildLog({ spec, logs: parts.logs, signal }, async (writeLine) => {
    const made = await build({ spec, progress, writeLine }, parts, signal);
    await recordBuilt(spec, made, parts);
    return made;
  });
  return { revision };
}

type BuildRequest = { spec: ReleaseSpec; progress: BuildProgress; writeLine: WriteLine };

async function build(
  { spec, progress, writeLine }: BuildRequest,
  parts: DockerDeps,
  signal: AbortSignal,
): Promise<string> {
  const { origin } = spec;
  if (origin.kind === 'git') {
    return await buildImage({ spec: { ...spec, origin }, progress, writeLine }, parts, signal);
  }
  progress('fetching');
  await checkImageAllowed(origin.image, parts, signal);
  const credential = await registryCredentialFor(spec, parts, signal);
  const request = { image: origin.image, release: spec, credential, writeLine };
  const digest = await pullImage(request, parts, signal);
  progress('building');
  return digest;
}

/** Refuses registries inside the operator's own network, unless they are allowed. */
export async function checkImageAllowed(
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
