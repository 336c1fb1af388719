import { isReleaseRepository, removeImage } from './builder/push-image.ts';
import type { KubernetesDeps } from './deps.ts';
import { type BuiltRelease, removeBuilt } from './releases.ts';
import { parseImageName } from './resolve-image.ts';

/**
 * Removes releases of an app, and those of their images that were built here and that no kept release uses. A registry that does not
 * remove images keeps them.
 */
export async function removeReleases(
  removed: BuiltRelease[],
  kept: BuiltRelease[],
  deps: KubernetesDeps,
  signal: AbortSignal,
): Promise<void> {
  for (const release of removed) await removeBuilt(release, deps, signal);
  const { registry } = deps.registries;
  if (registry === undefined) return;
  for (const image of unusedImages(removed, kept)) {
    const { host, repository } = parseImageName(image);
    if (host !== registry.host || !isReleaseRepository(registry, repository)) continue;
    try {
      if (await removeImage(image, registry, signal)) continue;
      throw new Error(`The registry ${host} does not remove images: ${image} stays there`);
    } catch (error) {
      signal.throwIfAborted();
      deps.logError(error);
      // It would not remove the others either, and may not even respond.
      return;
    }
  }
}

export function unusedImages(
  removed: Pick<BuiltRelease, 'image'>[],
  kept: Pick<BuiltRelease, 'image'>[],
): string[] {
  const used = new Set(kept.map(({ image }) => image));
  return [...new Set(removed.map(({ image }) => image))].filter((image) => !used.has(image));
}
