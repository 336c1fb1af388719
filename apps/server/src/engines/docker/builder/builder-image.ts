import { mentionsDiskFull } from '../../disk-full.ts';
import { EngineFailure } from '../../failure.ts';
import type { BuilderMode } from '../../image-build/buildkitd.ts';
import type { DockerDeps } from '../deps.ts';
import { DockerError } from '../docker-error.ts';
import { findImage } from '../images.ts';
import { pullOperatorImage } from '../pull-operator-image.ts';

type BuilderImageDeps = Pick<DockerDeps, 'docker' | 'builderImage' | 'registries' | 'limits'>;

const MAX_REASON_LENGTH = 300;

/** Pulls the image of builders unless the engine has it. */
export async function ensureBuilderImage(
  deps: BuilderImageDeps,
  writeLine: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const { builderImage } = deps;
  if ((await findImage(builderImage, deps, signal)) !== undefined) return;
  writeLine(`Pulling the image of the builder, ${builderImage}`);
  try {
    await pullOperatorImage(builderImage, deps, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof EngineFailure) throw error;
    const reason = error instanceof DockerError ? error.message : 'Timed out';
    if (mentionsDiskFull(reason)) throw new EngineFailure('disk-full', [], { cause: error });
    throw new EngineFailure(
      'builder-image-missing',
      [`LONGSHORE_BUILDER_IMAGE is ${builderImage}`, reason.slice(0, MAX_REASON_LENGTH)],
      { cause: error },
    );
  }
}

/** The modes to try, the safest first. Images without rootlesskit run only as root. */
export async function possibleModes(
  deps: Pick<DockerDeps, 'docker' | 'builderImage'>,
  signal: AbortSignal,
): Promise<BuilderMode[]> {
  const image = await findImage(deps.builderImage, deps, signal);
  const isRootless = image?.Config?.Entrypoint?.includes('rootlesskit') ?? false;
  return isRootless ? ['rootless', 'root'] : ['root'];
}
