import type { BuildLine } from './build-output.ts';
import type { DockerDeps } from './deps.ts';
import { ignoreMissing } from './docker-error.ts';
import { findImage } from './images.ts';

/** The older builder tells the layer that each step has made. */
const LAYER = /^ ---> ([0-9a-f]{12})\n?$/;
/** Clocks of ours and the Engine's may differ by this, where it runs in a machine of its own. */
const CLOCK_SLACK_MS = 60_000;

/**
 * Takes away what a build made and no image needs: the steps of a failed one, and the stages that only others copied from. Docker would
 * keep them for ever. Programs of the build can print such lines too, so only what is new and nameless counts.
 */
export function createLayerCleanup(parts: DockerDeps) {
  const begunAt = parts.clock.now() - CLOCK_SLACK_MS;
  const noted = new Set<string>();

  async function removeLayer(id: string, signal: AbortSignal): Promise<void> {
    const image = await findImage(id, parts, signal);
    if (image === undefined || Date.parse(image.Created) < begunAt) return;
    const names = [...(image.RepoTags ?? []), ...(image.RepoDigests ?? [])];
    if (names.length > 0) return;
    const query = { noprune: true };
    // 409: another image is made on top of it.
    const removing = parts.docker.call('DELETE', `/images/${image.Id}`, { query, signal });
    await ignoreMissing(removing, 409);
  }

  return {
    note({ stream = '' }: BuildLine): void {
      const [, id] = LAYER.exec(stream) ?? [];
      if (id !== undefined) noted.add(id);
    },
    /** Never fails: what stays lies around, and does no harm. */
    async removeUnused(): Promise<void> {
      const { signal } = new AbortController();
      for (const id of [...noted].reverse()) await removeLayer(id, signal).catch(() => {});
    },
  };
}
