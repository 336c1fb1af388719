import type { DockerDeps } from './deps.ts';
import { ignoreMissing, undefinedIfMissing } from './docker-error.ts';
import { imageRepository, imageTag, releaseOfTag } from './ownership.ts';

export type Image = {
  Id: string;
  RepoTags: string[] | null;
  RepoDigests: string[] | null;
  Architecture: string;
  Created: string;
  /** Only where one image is asked for. */
  Config?: { Labels: Record<string, string> | null; Cmd: string[] | null };
};

type Release = { appId: string; number: number };

/** All releases whose images are kept, or those of one app. */
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
  { docker }: DockerDeps,
  signal: AbortSignal,
): Promise<Image | undefined> {
  return await undefinedIfMissing(docker.call<Image>('GET', `/images/${name}/json`, { signal }));
}

/** From now on the image is the release's, whatever its first name comes to mean. */
export async function tagImageForRelease(
  image: string,
  { appId, number }: Release,
  { docker, owner }: DockerDeps,
  signal: AbortSignal,
): Promise<void> {
  const query = { repo: imageRepository(owner, appId), tag: number };
  await docker.call('POST', `/images/${image}/tag`, { query, signal });
}

/** Takes our name off an image; the image goes with its last name. */
export async function removeReleaseTag(
  { appId, number }: Release,
  parts: DockerDeps,
  signal: AbortSignal,
): Promise<void> {
  await removeTag(imageTag(parts.owner, appId, number), parts, signal);
}

export async function removeTag(
  name: string,
  { docker }: DockerDeps,
  signal: AbortSignal,
): Promise<void> {
  // 409: a container of somebody else's still needs it.
  await ignoreMissing(docker.call('DELETE', `/images/${name}`, { signal }), 409);
}
