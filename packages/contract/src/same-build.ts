import { pinnedTo, type ReleaseValues } from './release-values.ts';
import { isSameJson } from './same-json.ts';

/** What was made once, and of which commit or digest; that is unknown until it is built. */
export type Built = { values: ReleaseValues; revision: string | undefined };

/**
 * Whether these values would be built to what the release was built to. Only a wish for one commit or digest tells
 * that without asking anybody.
 */
export function isSameBuild(values: ReleaseValues, { values: before, revision }: Built): boolean {
  if (revision === undefined) return false;
  return isSameJson(ingredientsOf(values), ingredientsOf(pinnedTo(revision, before)));
}

/** A build may use the environment; an image was built elsewhere. */
function ingredientsOf({ source, container, env }: ReleaseValues): unknown {
  return source.enabled ? [source.url, source.ref, env] : container.image;
}
