import { type WriteLine, withBuildLog } from '../build-log.ts';
import type { BuildProgress, ReleaseSpec } from '../engine.ts';
import { registryCredentialFor } from '../source-credentials.ts';
import { buildImage } from './build-image.ts';
import type { DockerParts } from './deps.ts';
import { guardImage } from './image-guard.ts';
import { pullImage } from './pull-image.ts';
import { builtRevision, recordBuilt } from './releases.ts';

/** Makes the image of a release: pulled, or built of a checkout. A finished one is not made again. */
export async function buildRelease(
  spec: ReleaseSpec,
  progress: BuildProgress,
  parts: DockerParts,
  signal: AbortSignal,
): Promise<{ revision: string }> {
  const built = await builtRevision(spec, parts, signal);
  if (built !== undefined) return { revision: built };
  const revision = await withBuildLog({ spec, logs: parts.logs, signal }, async (say) => {
    const made = await make({ spec, progress, say }, parts, signal);
    await recordBuilt(spec, made, parts);
    return made;
  });
  return { revision };
}

type Making = { spec: ReleaseSpec; progress: BuildProgress; say: WriteLine };

async function make(
  { spec, progress, say }: Making,
  parts: DockerParts,
  signal: AbortSignal,
): Promise<string> {
  const { origin } = spec;
  if (origin.kind === 'git') {
    return await buildImage({ spec: { ...spec, origin }, progress, say }, parts, signal);
  }
  progress('fetching');
  await guardImage(origin.image, parts, signal);
  const credential = await registryCredentialFor(spec, parts, signal);
  const wished = { image: origin.image, release: spec, credential, say };
  const digest = await pullImage(wished, parts, signal);
  progress('building');
  return digest;
}
