import type { OwnerApps } from '../engine.ts';
import { inspectInstances } from './containers.ts';
import type { DockerDeps } from './deps.ts';
import { listImageReleases } from './images.ts';
import { readLayers, sizeOfLayers } from './layer-records.ts';
import { measureWrittenFiles } from './written-files.ts';

/** Measuring the files of a container takes long if there are many. */
const FRESH_MS = 60_000;

type Measured = { at: number; bytes: Promise<number> };

/** What the images, containers and build caches of an owner use of the disk. */
export function createUsedBytes(deps: DockerDeps) {
  const measured = new Map<string, Measured>();

  /** By one measurement at a time for each app: requests of its owner cannot keep the machine busy. */
  function writtenBytes(appId: string): Promise<number> {
    const now = deps.clock.now();
    for (const [id, { at }] of measured) if (now - at > FRESH_MS) measured.delete(id);
    const bytes = measured.get(appId)?.bytes ?? measure(appId);
    if (!measured.has(appId)) measured.set(appId, { at: now, bytes });
    return bytes;
  }

  async function measure(appId: string): Promise<number> {
    try {
      const { signal } = new AbortController();
      const containers = await inspectInstances(appId, deps, signal);
      return (await measureWrittenFiles(containers, signal))?.bytes ?? 0;
    } catch (error) {
      measured.delete(appId);
      throw error;
    }
  }

  return async ({ ownerId, appIds }: OwnerApps, signal: AbortSignal): Promise<number> => {
    const [images, caches, ...written] = await Promise.all([
      imageBytes(new Set(appIds), deps, signal),
      deps.builders.usedBytes(ownerId),
      ...appIds.map(writtenBytes),
    ]);
    return [images, caches, ...written].reduce((sum, bytes) => sum + bytes, 0);
  };
}

/**
 * Images of earlier versions count nothing: Docker does not say what they share, and an upgrade must not use up the quota of
 * accounts with many releases.
 */
async function imageBytes(
  appIds: Set<string>,
  deps: DockerDeps,
  signal: AbortSignal,
): Promise<number> {
  const releases = await listImageReleases(deps, signal);
  const own = releases.filter(({ appId }) => appIds.has(appId));
  const layers = await Promise.all(own.map((release) => readLayers(release, deps)));
  return sizeOfLayers(layers.filter((it) => it !== undefined));
}
