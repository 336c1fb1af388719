import { Readable } from 'node:stream';
import { imageWithTag } from '@longshore/contract';
import { TAR_END, tarEntry } from '../../build/buildkit/tar.ts';
import type { ReleaseSpec } from '../engine.ts';
import { EngineFailure } from '../failure.ts';
import type { DockerDeps } from './deps.ts';
import { runBuild } from './run-build.ts';

export type ImageRequest = {
  spec: ReleaseSpec;
  image: string;
  writeLine(line: string): void;
};

const DOCKERFILE = 'Dockerfile';

/**
 * Fetches an image for a release; returns its digest. The builder of the owner does it, not the engine: the engine would follow
 * a registry to addresses inside the machine, and would give layers of other users to everybody who knows their digest.
 */
export async function fetchImage(
  { spec, image, writeLine }: ImageRequest,
  deps: DockerDeps,
  signal: AbortSignal,
): Promise<string> {
  const name = imageWithTag(image, 'latest');
  const context = [...tarEntry(DOCKERFILE, Buffer.from(`FROM ${name}\n`)), TAR_END];
  const [digest] = await runBuild(
    {
      spec,
      dockerfile: DOCKERFILE,
      context: Readable.from(context),
      writeLine,
      writeExcerpt: () => {},
    },
    deps,
    signal,
  );
  if (digest === undefined) throw new EngineFailure('engine-failed', ['The image has no digest']);
  return digest;
}
