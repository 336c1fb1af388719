import { containerImageProblem } from '@longshore/contract';
import { type WriteLine, withBuildLog } from '../build-log.ts';
import type { Build, BuildProgress, ReleaseSpec } from '../engine.ts';
import { EngineFailure } from '../failure.ts';
import { buildCredentialsFor, mentionCredential } from '../source-credentials.ts';
import { buildSource } from './build-source.ts';
import { isReleaseRepository, releaseRepository } from './builder/push-image.ts';
import type { KubernetesDeps } from './deps.ts';
import { ensureNamespace } from './namespaces.ts';
import { type BuiltRelease, findBuilt, recordBuilt } from './releases.ts';
import { parseImageName, resolveImage } from './resolve-image.ts';

/** Builds or finds the image of a release, unless that is recorded already. Nodes pull it when they start it. */
export async function buildRelease(
  spec: ReleaseSpec,
  progress: BuildProgress,
  deps: KubernetesDeps,
  signal: AbortSignal,
): Promise<Build> {
  const existing = await findBuilt(spec, deps, signal);
  if (existing !== undefined) return existing.build;
  return await withBuildLog({ spec, logs: deps.logs, signal }, async (writeLine) => {
    const { origin } = spec;
    const built =
      origin.kind === 'git'
        ? await buildSource({ spec: { ...spec, origin }, progress, writeLine }, deps, signal)
        : await findImage({ spec, image: origin.image, progress, writeLine }, deps, signal);
    signal.throwIfAborted();
    await ensureNamespace(spec, deps, signal);
    await recordBuilt(spec, built, deps, signal);
    return built.build;
  });
}

type ImageRequest = {
  spec: ReleaseSpec;
  image: string;
  progress: BuildProgress;
  writeLine: WriteLine;
};

async function findImage(
  { spec, image, progress, writeLine }: ImageRequest,
  deps: KubernetesDeps,
  signal: AbortSignal,
): Promise<Pick<BuiltRelease, 'image' | 'exposedPorts' | 'build'>> {
  progress({ phase: 'fetching' });
  signal.throwIfAborted();
  const problem = containerImageProblem(image) ?? releaseImageProblem(image, spec, deps);
  if (problem !== undefined) throw new EngineFailure('source-not-allowed', [problem]);
  const [credential] = (await buildCredentialsFor(spec, deps, signal)).credentials;
  const found = await resolveImage(image, credential, deps, signal).catch((error) => {
    throw mentionCredential(error, credential);
  });
  writeLine(`Found ${found.image}`);
  const build = { revision: found.digest, inputs: { arguments: [], startCommand: false } };
  progress({ phase: 'building', revision: found.digest });
  return { ...found, build };
}

/** What was built from the code of a user is for that user only. */
export function releaseImageProblem(
  image: string,
  { ownerId }: Pick<ReleaseSpec, 'ownerId'>,
  { registries: { registry } }: Pick<KubernetesDeps, 'registries'>,
): string | undefined {
  const { host, repository } = parseImageName(image);
  if (registry === undefined || host !== registry.host) return undefined;
  const isOthers =
    isReleaseRepository(registry, repository) &&
    repository !== releaseRepository(registry, ownerId);
  return isOthers ? `${repository} contains releases of another account` : undefined;
}
