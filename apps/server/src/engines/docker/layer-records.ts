import { createHash } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { readJson, writeJson } from '../json-file.ts';
import type { DockerDeps } from './deps.ts';
import { appFolder } from './folders.ts';

/** `diffId`: the digest of the unpacked layer. */
export type LayerRecord = { diffId: string; bytes: number };

type Release = { appId: string; number: number };
type RecordDeps = Pick<DockerDeps, 'dataDir'>;

const RECORDS = z.array(z.object({ diffId: z.string(), bytes: z.number() }));

/*
 * The layers of the image of a release and their unpacked sizes, lowest first. Docker does not say how large a layer is, nor
 * which images share it.
 */

export async function writeLayers(
  release: Release,
  layers: LayerRecord[],
  deps: RecordDeps,
): Promise<void> {
  await mkdir(layersFolder(release, deps), { recursive: true, mode: 0o700 });
  await writeJson(pathOf(release, deps), layers);
}

/** Undefined for images of earlier versions. */
export async function readLayers(
  release: Release,
  deps: RecordDeps,
): Promise<LayerRecord[] | undefined> {
  return await readJson(pathOf(release, deps), RECORDS);
}

export async function removeLayers(release: Release, deps: RecordDeps): Promise<void> {
  await rm(pathOf(release, deps), { force: true });
}

/** What images use together. Docker stores a layer once for all images that have it on top of the same layers. */
export function sizeOfLayers(images: LayerRecord[][]): number {
  const sizes = new Map<string, number>();
  for (const layers of images) {
    let chain = '';
    for (const { diffId, bytes } of layers) {
      chain = createHash('sha256').update(`${chain} ${diffId}`).digest('base64');
      sizes.set(chain, bytes);
    }
  }
  return [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
}

function layersFolder({ appId }: Release, deps: RecordDeps): string {
  return join(appFolder(appId, deps), 'layers');
}

function pathOf(release: Release, deps: RecordDeps): string {
  return join(layersFolder(release, deps), String(release.number));
}
