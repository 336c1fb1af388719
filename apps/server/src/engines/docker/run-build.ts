import { buildFailure } from '../../build/buildkit/build-failure.ts';
import { type Builder, BuilderFailed, runInBuilder } from '../../build/buildkit/builder.ts';
import { ImageTooLarge } from '../../build/buildkit/image-archive.ts';
import {
  type BuiltImage,
  InvalidImage,
  LAYOUT_FOLDER,
  readBuiltImage,
} from '../../build/buildkit/image-layout.ts';
import { registryAuth } from '../../build/buildkit/registry-auth.ts';
import { type ImageBuild, runBuildctl } from '../../build/buildkit/run-buildctl.ts';
import { unreachableHost } from '../../build/unreachable-host.ts';
import { outputExcerpt } from '../../processes/output-excerpt.ts';
import { mentionsDiskFull } from '../disk-full.ts';
import type { ReleaseSpec } from '../engine.ts';
import { EngineFailure } from '../failure.ts';
import { buildCredentialsFor, mentionCredential } from '../source-credentials.ts';
import type { UsedBuilder } from './builder/builders-port.ts';
import { loadImage } from './builder/load-image.ts';
import type { DockerDeps } from './deps.ts';
import { DockerError } from './docker-error.ts';

export type BuildOptions = Omit<ImageBuild, 'registryAuth'> & { spec: ReleaseSpec };

/** The reason of a failure is often before the last lines. */
const KEPT_LINES = 40;
const MAX_LIST_BYTES = 1024 ** 2;

/**
 * Builds the image of a release in a builder of its owner, and loads it into the engine. Returns the digests of its base images.
 * When it rejects, nothing of the build runs any more.
 */
export async function runBuild(
  build: BuildOptions,
  deps: DockerDeps,
  signal: AbortSignal,
): Promise<string[]> {
  const { spec } = build;
  const { credentials, skipped } = await buildCredentialsFor(spec, deps, signal);
  for (const line of skipped) build.writeLine(line);
  const space = deps.space.watch();
  const unlimited = AbortSignal.any([signal, space.signal]);
  let timeout: AbortSignal | undefined;
  const lastLines: string[] = [];
  const writeLine = (line: string) => {
    build.writeLine(line);
    if (line.trim() !== '') lastLines.push(line);
    if (lastLines.length > KEPT_LINES) lastLines.shift();
  };
  try {
    return await deps.builders.use(
      { ownerId: spec.ownerId, appId: spec.appId, writeLine },
      async (used) => {
        timeout = AbortSignal.timeout(deps.limits.buildMs);
        const bounded = AbortSignal.any([unlimited, timeout]);
        try {
          const imageBuild = { ...build, writeLine, registryAuth: registryAuth(credentials) };
          return await buildAndLoad(imageBuild, { used, lastLines }, deps, bounded);
        } catch (error) {
          throw toBuildFailure(error, deps);
        }
      },
      unlimited,
    );
  } catch (error) {
    signal.throwIfAborted();
    if (timeout?.aborted) {
      throw new EngineFailure('build-timed-out', outputExcerpt(lastLines));
    }
    if (space.signal.aborted) {
      throw new EngineFailure('disk-full', outputExcerpt(lastLines));
    }
    // Only the one that the app names: others may have nothing to do with the failure.
    throw mentionCredential(error, spec.origin.kind === 'image' ? credentials[0] : undefined);
  } finally {
    space.stop();
  }
}

async function buildAndLoad(
  { spec, ...build }: ImageBuild & { spec: ReleaseSpec },
  { used, lastLines }: { used: UsedBuilder; lastLines: string[] },
  deps: DockerDeps,
  signal: AbortSignal,
): Promise<string[]> {
  const { builder } = used;
  const outcome = await runBuildctl(builder, build, signal);
  if (outcome.kind === 'failed') {
    const isOutOfMemory = await used.wasOutOfMemory(signal);
    if (outcome.problem === '' && !isOutOfMemory) throw new BuilderFailed('buildctl was ended');
    const { reason, evidence } = buildFailure({
      ...outcome,
      lastLines: outputExcerpt(lastLines),
      isOutOfMemory,
      allowsPrivateNetworks: deps.allowLocalSources,
    });
    const advice = reason === 'build-failed' ? unreachableHost(lastLines) : undefined;
    throw new EngineFailure(reason, advice === undefined ? evidence : [...evidence, advice]);
  }
  const image = await readBuiltImage(builder, signal);
  await checkArchitecture(image, deps, signal);
  await loadImage(used, image, spec, deps, signal);
  await removeOtherBlobs(builder, image, signal);
  return outcome.baseDigests;
}

function toBuildFailure(error: unknown, { limits }: DockerDeps): unknown {
  if (error instanceof ImageTooLarge) {
    const gibibytes = Math.round(limits.imageBytes / 1024 ** 3);
    return new EngineFailure('image-too-large', [
      `An image may have ${gibibytes} GiB and ${limits.imageFiles} files when it is unpacked`,
    ]);
  }
  if (error instanceof InvalidImage) return new EngineFailure('build-failed', [error.message]);
  if (error instanceof BuilderFailed && mentionsDiskFull(error.message))
    return new EngineFailure('build-disk-full', [], { cause: error });
  if (error instanceof DockerError && mentionsDiskFull(error.message))
    return new EngineFailure('disk-full', [], { cause: error });
  return error;
}

/** What the next build of the app can use again stays, the layers of earlier builds go. */
async function removeOtherBlobs(
  builder: Builder,
  { layers }: BuiltImage,
  signal: AbortSignal,
): Promise<void> {
  const folder = `${builder.folder}/${LAYOUT_FOLDER}/blobs/sha256`;
  const listed = await runInBuilder(
    builder,
    { argv: ['ls', '--', folder] },
    { maxBytes: MAX_LIST_BYTES, signal },
  );
  const kept = new Set(layers.map(({ digest }) => digest.replace('sha256:', '')));
  const others = listed
    .toString('utf8')
    .split('\n')
    .filter((name) => /^[0-9a-f]{64}$/.test(name) && !kept.has(name))
    .map((name) => `${folder}/${name}`);
  if (others.length === 0) return;
  const argv = ['rm', '-f', '--', ...others] as const;
  await runInBuilder(builder, { argv }, { maxBytes: MAX_LIST_BYTES, signal });
}

/** Further architectures that a machine runs natively. */
const COMPATIBLE: Record<string, string[]> = { amd64: ['386'], arm64: ['arm'] };

/** Docker accepts images of other architectures, and they fail only when the app starts. */
async function checkArchitecture(
  { architecture }: BuiltImage,
  { docker }: DockerDeps,
  signal: AbortSignal,
): Promise<void> {
  const { Arch } = await docker.call<{ Arch: string }>('GET', '/version', { signal });
  if (canRun(Arch, architecture)) return;
  const evidence = `The image is made for ${architecture}, this machine is ${Arch}`;
  throw new EngineFailure('image-wrong-architecture', [evidence]);
}

export function canRun(machine: string, image: string): boolean {
  return image === '' || image === machine || (COMPATIBLE[machine] ?? []).includes(image);
}
