import { countPresentLayers } from '../../../build/buildkit/image-archive.ts';
import type { BuiltImage } from '../../../build/buildkit/image-layout.ts';
import type { DockerDeps } from '../deps.ts';
import { DockerError } from '../docker-error.ts';
import { listImageReleases } from '../images.ts';
import { type LayerRecord, readLayers, writeLayers } from '../layer-records.ts';
import { imageTag } from '../ownership.ts';
import { readOwner } from '../releases.ts';
import type { DockerBuilder } from './builders-port.ts';
import { sendInProcess } from './send-in-process.ts';

type Release = { appId: string; number: number; ownerId: string };

const MAX_WAIT_MS = 30_000;

/** Copies the image from the builder to the engine, without the layers that it has from other images of the owner. */
export async function loadImage(
  {
    builder,
    containerId,
    lowerPriority,
  }: Pick<DockerBuilder, 'builder' | 'containerId' | 'lowerPriority'>,
  image: BuiltImage,
  release: Release,
  deps: DockerDeps,
  signal: AbortSignal,
): Promise<void> {
  const name = imageTag(deps.owner, release.appId, release.number);
  const present = await layersOfOwner(release, deps, signal);
  const presentLayers = countPresentLayers(
    image.layers,
    present.map((layers) => layers.map(({ diffId }) => diffId)),
  );
  const load = async (options: { presentLayers: number }) => {
    const max = { bytes: deps.limits.imageBytes, files: deps.limits.imageFiles };
    const job = {
      socketPath: deps.docker.socketPath,
      builder: { containerId, folder: builder.folder },
      image,
      options: { name, max, ...options },
    };
    const sent = await sendInProcess(job, lowerPriority, signal);
    const sizes = new Map([...present.flat(), ...sent].map(({ diffId, bytes }) => [diffId, bytes]));
    const layers = image.layers.map(({ diffId }) => ({ diffId, bytes: sizes.get(diffId) ?? 0 }));
    await writeLayers(release, layers, deps);
  };
  const finish = await waitForTurn(deps, signal);
  try {
    await load({ presentLayers });
  } catch (error) {
    // Engines that store packed layers, or lost one meanwhile, need all of them.
    if (presentLayers === 0 || !(error instanceof DockerError)) throw error;
    await load({ presentLayers: 0 });
  } finally {
    finish();
  }
}

/**
 * One at a time: what the engine does for it is not limited, and apps need the other processors. But nobody waits long for a
 * builder that is slow on purpose.
 */
async function waitForTurn({ loadLock }: DockerDeps, signal: AbortSignal): Promise<() => void> {
  try {
    return await loadLock.acquire(AbortSignal.any([signal, AbortSignal.timeout(MAX_WAIT_MS)]));
  } catch {
    signal.throwIfAborted();
    return () => {};
  }
}

/** Of the newest image of each app. Layers of unknown size are sent again. */
async function layersOfOwner(
  { appId, ownerId }: Release,
  deps: DockerDeps,
  signal: AbortSignal,
): Promise<LayerRecord[][]> {
  const releases = await listImageReleases(deps, signal);
  const newest = new Map(releases.map((release) => [release.appId, release]));
  const found = await Promise.all(
    [...newest.values()].map(async (release) => {
      const isOwn = release.appId === appId || (await readOwner(release.appId, deps)) === ownerId;
      return isOwn ? await readLayers(release, deps) : undefined;
    }),
  );
  return found.filter((layers) => layers !== undefined);
}
