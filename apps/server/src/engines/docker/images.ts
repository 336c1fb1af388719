import type { DockerDeps } from './deps.ts';
import { ignoreMissing, undefinedIfMissing } from './docker-error.ts';
import { imageRepository, imageTag, releaseOfTag } from './ownership.ts';

export type Image = {
  Id: string;
  RepoTags: string[] | null;
  RepoDigests: string[] | null;
  Architecture: string;
  Created: string;
  /** Only in the response for a single image. */
  RootFS?: { Layers?: string[] };
  /** Of all layers. */
  Size?: number;
  Config?: {
    Env?: string[] | null;
    Labels: Record<string, string> | null;
    Cmd: string[] | null;
    Entrypoint?: string[] | null;
    /** By port, such as `3000/tcp`. */
    ExposedPorts?: Record<string, unknown> | null;
  };
};

type Release = { appId: string; number: number };

/** All releases that have an image, or those of one app. */
export async function listImageReleases(
  { docker, owner }: DockerDeps,
  signal: AbortSignal,
  appId?: string,
): Promise<Release[]> {
  const filters = JSON.stringify({ reference: [`${imageRepository(owner, appId ?? '*')}:*`] });
  const images = await docker.call<Image[]>('GET', '/images/json', { query: { filters }, signal });
  return images
    .flatMap(({ RepoTags }) => RepoTags ?? [])
    .map((tag) => releaseOfTag(owner, tag))
    .filter((release) => release !== undefined)
    .filter((release) => appId === undefined || release.appId === appId)
    .sort((one, other) => one.number - other.number);
}

export async function findImage(
  name: string,
  { docker }: Pick<DockerDeps, 'docker'>,
  signal: AbortSignal,
): Promise<Image | undefined> {
  return await undefinedIfMissing(docker.call<Image>('GET', `/images/${name}/json`, { signal }));
}

/** Tags the image for the release, so that it stays even if its original tag moves. */
export async function tagImageForRelease(
  image: string,
  { appId, number }: Release,
  { docker, owner }: DockerDeps,
  signal: AbortSignal,
): Promise<void> {
  const query = { repo: imageRepository(owner, appId), tag: number };
  await docker.call('POST', `/images/${image}/tag`, { query, signal });
}

/** Removes the tag of a release. Docker removes the image with its last tag. */
export async function removeReleaseTag(
  { appId, number }: Release,
  deps: DockerDeps,
  signal: AbortSignal,
): Promise<void> {
  await removeTag(imageTag(deps.owner, appId, number), deps, signal);
}

/** Docker deletes the files of an image one by one, and responds afterwards. */
const REMOVE_MS = 5 * 60_000;

export async function removeTag(
  name: string,
  { docker }: Pick<DockerDeps, 'docker'>,
  signal: AbortSignal,
): Promise<void> {
  // 409: another container still uses it.
  await ignoreMissing(
    docker.call('DELETE', `/images/${name}`, { timeoutMs: REMOVE_MS, signal }),
    409,
  );
}
