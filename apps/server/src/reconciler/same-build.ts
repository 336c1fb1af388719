import { isDeepStrictEqual } from 'node:util';
import { pinnedTo, type ReleaseValues } from '@longshore/contract';
import type { Release } from './release.ts';

/**
 * Whether these values would be built to what the release was built to. Only a wish for one commit or digest tells
 * that without asking anybody.
 */
export function isSameBuild(values: ReleaseValues, { values: before, revision }: Release): boolean {
  if (revision === undefined) return false;
  return isDeepStrictEqual(ingredientsOf(values), ingredientsOf(pinnedTo(revision, before)));
}

/** A build may use the environment; an image was built elsewhere. */
function ingredientsOf({ source, container, env }: ReleaseValues): unknown {
  return source.enabled ? [source.url, source.ref, env] : container.image;
}
