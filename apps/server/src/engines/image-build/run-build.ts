import type { BuildStep } from '../../build/build-plan.ts';
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
import { stepFailure } from '../../build/failed-step.ts';
import { outputExcerpt } from '../../processes/output-excerpt.ts';
import { mentionsDiskFull } from '../disk-full.ts';
import type { ReleaseSpec } from '../engine.ts';
import { EngineFailure } from '../failure.ts';
import {
  buildCredentialsFor,
  mentionCredential,
  type SourceCredentials,
} from '../source-credentials.ts';
import type { Builders, RunningBuilder, UsedBuilder } from './builders-port.ts';

export type BuildOptions = Omit<ImageBuild, 'registryAuth' | 'layers'> & {
  spec: ReleaseSpec;
  /** Of a generated Dockerfile. */
  steps?: readonly BuildStep[] | undefined;
};

export type ImageBuildLimits = {
  buildMs: number;
  /** The unpacked layers of an image; below 8 GiB. */
  imageBytes: number;
  /** The files, folders and links in them. */
  imageFiles: number;
};

/** What an engine gives to its builds. */
export type ImageBuildDeps<Running extends RunningBuilder> = {
  builders: Builders<Running>;
  credentials: SourceCredentials;
  allowLocalSources: boolean;
  limits: ImageBuildLimits;
  /** How new layers are stored in the builder. */
  layers: ImageBuild['layers'];
  /** Aborts the signal when the machine is short of space. */
  watchSpace(): { signal: AbortSignal; stop(): void };
  /** Takes the image from the builder. */
  deliver(used: UsedBuilder<Running>, image: BuiltImage, signal: AbortSignal): Promise<void>;
  /** What an error of the engine means to a build. Absent: nothing but itself. */
  toFailure?(error: unknown): unknown;
};

/** The reason of a failure is often before the last lines. */
const KEPT_LINES = 40;
const MAX_LIST_BYTES = 1024 ** 2;

/**
 * Builds the image of a release in a builder of its owner, and delivers it. Returns the digests of its base images. When it
 * rejects, nothing of the build runs any more.
 */
export async function runImageBuild<Running extends RunningBuilder>(
  build: BuildOptions,
  deps: ImageBuildDeps<Running>,
  signal: AbortSignal,
): Promise<string[]> {
  const { spec, steps } = build;
  const { credentials, skipped } = await buildCredentialsFor(spec, deps, signal);
  for (const line of skipped) build.writeLine(line);
  const space = deps.watchSpace();
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
          const imageBuild = {
            ...build,
            writeLine,
            layers: deps.layers,
            registryAuth: registryAuth(credentials),
          };
          return await buildAndDeliver(imageBuild, { used, lastLines, steps }, deps, bounded);
        } catch (error) {
          throw toBuildFailure(deps.toFailure?.(error) ?? error, deps.limits);
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

type RunningBuild<Running extends RunningBuilder> = Pick<BuildOptions, 'steps'> & {
  used: UsedBuilder<Running>;
  lastLines: string[];
};

async function buildAndDeliver<Running extends RunningBuilder>(
  build: ImageBuild,
  { used, lastLines, steps }: RunningBuild<Running>,
  deps: ImageBuildDeps<Running>,
  signal: AbortSignal,
): Promise<string[]> {
  const { builder } = used;
  const outcome = await runBuildctl(builder, build, signal);
  if (outcome.kind === 'failed') {
    const isOutOfMemory = await used.wasOutOfMemory(signal);
    if (outcome.problem === '' && !isOutOfMemory) throw new BuilderFailed('buildctl was ended');
    const { reason, evidence, step } = buildFailure({
      ...outcome,
      steps,
      lastLines: outputExcerpt(lastLines),
      isOutOfMemory,
      allowsPrivateNetworks: deps.allowLocalSources,
    });
    if (reason !== 'build-failed') throw new EngineFailure(reason, evidence);
    const ofStep = stepFailure(lastLines, step);
    throw new EngineFailure(ofStep.reason, [...evidence, ...ofStep.advice], {
      fixes: ofStep.fixes,
    });
  }
  const image = await readBuiltImage(builder, signal);
  await deps.deliver(used, image, signal);
  await removeOtherBlobs(builder, image, signal);
  return outcome.baseDigests;
}

function toBuildFailure(error: unknown, limits: ImageBuildLimits): unknown {
  if (error instanceof ImageTooLarge) {
    const gibibytes = Math.round(limits.imageBytes / 1024 ** 3);
    return new EngineFailure('image-too-large', [
      `An image may have ${gibibytes} GiB and ${limits.imageFiles} files when it is unpacked`,
    ]);
  }
  if (error instanceof InvalidImage) return new EngineFailure('build-failed', [error.message]);
  if (error instanceof BuilderFailed && mentionsDiskFull(error.message))
    return new EngineFailure('build-disk-full', [], { cause: error });
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
