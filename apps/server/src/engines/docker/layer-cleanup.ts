import type { BuildLine } from './build-output.ts';
import type { DockerDeps } from './deps.ts';
import { ignoreMissing } from './docker-error.ts';
import { findImage } from './images.ts';

/** The classic builder prints the layer of each step. */
const LAYER = /^ ---> ([0-9a-f]{12})\n?$/;
/** The clock of Docker may differ by this when it runs in a virtual machine. */
const CLOCK_SLACK_MS = 60_000;

/**
 * Removes layers of a build that no image needs: steps of a failed build, and stages that only other stages copied from. Docker
 * would keep them forever. Programs of the build can print such lines too, so only new images without a name are removed.
 */
export function createLayerCleanup(deps: DockerDeps) {
  const startedAt = deps.clock.now() - CLOCK_SLACK_MS;
  const layerIds = new Set<string>();

  async function removeLayer(id: string, signal: AbortSignal): Promise<void> {
    const image = await findImage(id, deps, signal);
    if (image === undefined || Date.parse(image.Created) < startedAt) return;
    const names = [...(image.RepoTags ?? []), ...(image.RepoDigests ?? [])];
    if (names.length > 0) return;
    const query = { noprune: true };
    // 409: another image is based on it.
    const removing = deps.docker.call('DELETE', `/images/${image.Id}`, { query, signal });
    await ignoreMissing(removing, 409);
  }

  return {
    note({ stream = '' }: BuildLine): void {
      const [, id] = LAYER.exec(stream) ?? [];
      if (id !== undefined) layerIds.add(id);
    },
    /** Never fails: a layer that stays only uses disk space. */
    async removeUnused(): Promise<void> {
      const { signal } = new AbortController();
      for (const id of [...layerIds].reverse()) await removeLayer(id, signal).catch(() => {});
    },
  };
}
