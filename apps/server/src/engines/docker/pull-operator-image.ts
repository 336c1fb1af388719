import { imageWithTag } from '@longshore/contract';
import { pullNames } from '../../build/buildkit/mirrored-image.ts';
import type { DockerDeps } from './deps.ts';
import { DockerError } from './docker-error.ts';
import { removeTag } from './images.ts';
import { jsonLines } from './json-lines.ts';

type PullDeps = Pick<DockerDeps, 'docker' | 'registries' | 'limits'>;

/** Pulls an image that the operator chose, so that the engine may do it itself: first from the operator's mirror. */
export async function pullOperatorImage(
  image: string,
  deps: PullDeps,
  signal: AbortSignal,
): Promise<void> {
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(deps.limits.pullMs)]);
  const [first, ...others] = pullNames(image, deps.registries.mirror);
  if (others.length > 0 && !image.includes('@')) {
    const isPulled = await pull(first, deps, bounded).then(
      () => true,
      () => false,
    );
    if (isPulled) {
      const [repo, tag] = splitTag(imageWithTag(image, 'latest'));
      await deps.docker.call('POST', `/images/${first}/tag`, { query: { repo, tag }, signal });
      return await removeTag(first, deps, signal);
    }
    bounded.throwIfAborted();
  }
  await pull(image, deps, bounded);
}

function splitTag(image: string): [repository: string, tag: string] {
  const colon = image.lastIndexOf(':');
  return [image.slice(0, colon), image.slice(colon + 1)];
}

async function pull(
  image: string,
  { docker }: Pick<DockerDeps, 'docker'>,
  signal: AbortSignal,
): Promise<void> {
  const query = { fromImage: imageWithTag(image, 'latest') };
  const progress = await docker.follow('POST', '/images/create', { query, signal });
  for await (const { error } of jsonLines<{ error?: string }>(progress)) {
    if (error !== undefined) throw new DockerError(500, error);
  }
}
