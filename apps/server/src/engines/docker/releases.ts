import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { buildLogName } from '@longshore/contract';
import { z } from 'zod';
import type { Build, ReleaseSpec } from '../engine.ts';
import { EngineFailure } from '../failure.ts';
import { readJson, writeJson } from '../json-file.ts';
import type { DockerDeps } from './deps.ts';
import { appFolder } from './folders.ts';
import { findImage, listImageReleases, removeReleaseTag, tagImageForRelease } from './images.ts';
import { readLayers, removeLayers, writeLayers } from './layer-records.ts';
import { imageTag } from './ownership.ts';

type Release = { appId: string; number: number };

/*
 * A release is built when its image exists and its revision is recorded. One without the other is a leftover of an interrupted
 * build or removal.
 */

const buildRecord = z.object({
  revision: z.string(),
  inputs: z.object({ arguments: z.array(z.string()), startCommand: z.boolean() }).optional(),
});
/** Earlier versions recorded only the revision. */
const recorded = z.union([z.string().transform((revision) => ({ revision })), buildRecord]);

/** Undefined when it is not built. */
export async function readBuild(
  release: Release,
  deps: DockerDeps,
  signal: AbortSignal,
): Promise<Build | undefined> {
  const image = await findImage(imageTag(deps.owner, release.appId, release.number), deps, signal);
  const build = image && (await readJson(pathOf(release, deps), recorded));
  return build && { inputs: undefined, ...build };
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
  release: Release & { ownerId: string },
  build: Build,
  deps: DockerDeps,
): Promise<void> {
  await mkdir(revisionsFolder(release.appId, deps), { recursive: true, mode: 0o700 });
  await writeJson(ownerPath(release.appId, deps), release.ownerId);
  await writeJson(pathOf(release, deps), build);
}

/** Undefined for apps that were last built by a version that did not record it. */
export async function readOwner(appId: string, deps: DockerDeps): Promise<string | undefined> {
  return await readJson(ownerPath(appId, deps), z.string());
}

/** The port that the app was found to listen on, because none was chosen. */
export async function readFoundPort(
  release: Release,
  deps: DockerDeps,
): Promise<number | undefined> {
  return await readJson(portPath(release, deps), z.number());
}

export async function recordFoundPort(
  release: Release,
  port: number,
  deps: DockerDeps,
): Promise<void> {
  await mkdir(portsFolder(release.appId, deps), { recursive: true, mode: 0o700 });
  await writeJson(portPath(release, deps), port);
}

/** Tags the image of another release for this one. */
export async function reuseRelease(
  { appId, number, ownerId }: ReleaseSpec,
  from: number,
  deps: DockerDeps,
  signal: AbortSignal,
): Promise<void> {
  const build = await readBuild({ appId, number: from }, deps, signal);
  if (build === undefined) {
    throw new EngineFailure('engine-failed', [`Release ${from} is not built`]);
  }
  const line = `Release ${number}: reusing the build of release ${from}, ${build.revision}`;
  deps.logs.append(appId, buildLogName(appId, number), line);
  await tagImageForRelease(imageTag(deps.owner, appId, from), { appId, number }, deps, signal);
  const layers = await readLayers({ appId, number: from }, deps);
  if (layers !== undefined) await writeLayers({ appId, number }, layers, deps);
  const port = await readFoundPort({ appId, number: from }, deps);
  if (port !== undefined) await recordFoundPort({ appId, number }, port, deps);
  await recordBuilt({ appId, number, ownerId }, build, deps);
}

export async function removeRelease(
  release: Release,
  deps: DockerDeps,
  signal: AbortSignal,
): Promise<void> {
  await rm(pathOf(release, deps), { force: true });
  await removeLayers(release, deps);
  await rm(portPath(release, deps), { force: true });
  await removeReleaseTag(release, deps, signal);
}

function ownerPath(appId: string, deps: DockerDeps): string {
  return join(appFolder(appId, deps), 'owner');
}

function revisionsFolder(appId: string, deps: DockerDeps): string {
  return join(appFolder(appId, deps), 'revisions');
}

function portsFolder(appId: string, deps: DockerDeps): string {
  return join(appFolder(appId, deps), 'ports');
}

function portPath({ appId, number }: Release, deps: DockerDeps): string {
  return join(portsFolder(appId, deps), String(number));
}

function pathOf({ appId, number }: Release, deps: DockerDeps): string {
  return join(revisionsFolder(appId, deps), String(number));
}
