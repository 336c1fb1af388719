import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { EngineFailure } from '../failure.ts';
import { readJson, writeJson } from '../json-file.ts';
import type { DockerDeps } from './deps.ts';
import { appFolder } from './folders.ts';
import { findImage, listImageReleases, removeReleaseTag, tagImageForRelease } from './images.ts';
import { imageTag } from './ownership.ts';

type Release = { appId: string; number: number };

/*
 * A release is built when its image exists and its revision is recorded. One without the other is a leftover of an interrupted
 * build or removal.
 */

/** The commit or image digest of a built release; undefined when it is not built. */
export async function readBuiltRevision(
  release: Release,
  deps: DockerDeps,
  signal: AbortSignal,
): Promise<string | undefined> {
  const image = await findImage(imageTag(deps.owner, release.appId, release.number), deps, signal);
  return image && (await readJson(pathOf(release, deps), z.string()));
}

export async function listBuiltReleases(
  appId: string,
  deps: DockerDeps,
  signal: AbortSignal,
): Promise<number[]> {
  const withImage = await listImageReleases(deps, signal, appId);
  const recorded = await readdir(revisionsFolder(appId, deps)).catch((): string[] => []);
  return withImage
    .map(({ number }) => number)
    .filter((number) => recorded.includes(String(number)));
}

export async function recordBuilt(
  release: Release,
  revision: string,
  deps: DockerDeps,
): Promise<void> {
  await mkdir(revisionsFolder(release.appId, deps), { recursive: true, mode: 0o700 });
  await writeJson(pathOf(release, deps), revision);
}

/** Tags the image of another release for this one. */
export async function reuseRelease(
  { appId, number }: Release,
  from: number,
  deps: DockerDeps,
  signal: AbortSignal,
): Promise<void> {
  const revision = await readBuiltRevision({ appId, number: from }, deps, signal);
  if (revision === undefined) {
    throw new EngineFailure('engine-failed', [`Release ${from} is not built`]);
  }
  await tagImageForRelease(imageTag(deps.owner, appId, from), { appId, number }, deps, signal);
  await recordBuilt({ appId, number }, revision, deps);
}

export async function removeRelease(
  release: Release,
  deps: DockerDeps,
  signal: AbortSignal,
): Promise<void> {
  await rm(pathOf(release, deps), { force: true });
  await removeReleaseTag(release, deps, signal);
}

function revisionsFolder(appId: string, deps: DockerDeps): string {
  return join(appFolder(appId, deps), 'revisions');
}

function pathOf({ appId, number }: Release, deps: DockerDeps): string {
  return join(revisionsFolder(appId, deps), String(number));
}
