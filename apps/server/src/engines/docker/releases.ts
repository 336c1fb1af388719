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
 * A release is built when its image is kept and it is written down what it was made of. The one without the other is left of
 * a build, or of a removal, that was cut off.
 */

/** The commit or digest a built release was made of; undefined when it is not built. */
export async function readBuiltRevision(
  release: Release,
  parts: DockerDeps,
  signal: AbortSignal,
): Promise<string | undefined> {
  const image = await findImage(
    imageTag(parts.owner, release.appId, release.number),
    parts,
    signal,
  );
  return image && (await readJson(pathOf(release, parts), z.string()));
}

export async function listBuiltReleases(
  appId: string,
  parts: DockerDeps,
  signal: AbortSignal,
): Promise<number[]> {
  const kept = await listImageReleases(parts, signal, appId);
  const written = await readdir(revisionsFolder(appId, parts)).catch((): string[] => []);
  return kept.map(({ number }) => number).filter((number) => written.includes(String(number)));
}

export async function recordBuilt(
  release: Release,
  revision: string,
  parts: DockerDeps,
): Promise<void> {
  await mkdir(revisionsFolder(release.appId, parts), { recursive: true, mode: 0o700 });
  await writeJson(pathOf(release, parts), revision);
}

/** Gives what was built for one release to another one as well. */
export async function reuseRelease(
  { appId, number }: Release,
  from: number,
  parts: DockerDeps,
  signal: AbortSignal,
): Promise<void> {
  const revision = await readBuiltRevision({ appId, number: from }, parts, signal);
  if (revision === undefined) {
    throw new EngineFailure('engine-failed', [`Release ${from} is not built`]);
  }
  await tagImageForRelease(imageTag(parts.owner, appId, from), { appId, number }, parts, signal);
  await recordBuilt({ appId, number }, revision, parts);
}

export async function removeRelease(
  release: Release,
  parts: DockerDeps,
  signal: AbortSignal,
): Promise<void> {
  await rm(pathOf(release, parts), { force: true });
  await removeReleaseTag(release, parts, signal);
}

function revisionsFolder(appId: string, parts: DockerDeps): string {
  return join(appFolder(appId, parts), 'revisions');
}

function pathOf({ appId, number }: Release, parts: DockerDeps): string {
  return join(revisionsFolder(appId, parts), String(number));
}
