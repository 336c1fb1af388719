import type { BuiltImage } from '../../build/buildkit/image-layout.ts';
import { mentionsDiskFull } from '../disk-full.ts';
import { EngineFailure } from '../failure.ts';
import { type BuildOptions, runImageBuild } from '../image-build/run-build.ts';
import { loadImage } from './builder/load-image.ts';
import type { DockerDeps } from './deps.ts';
import { DockerError } from './docker-error.ts';

/** Builds the image of a release and loads it into the engine. Returns the digests of its base images. */
export async function runBuild(
  build: BuildOptions,
  deps: DockerDeps,
  signal: AbortSignal,
): Promise<string[]> {
  return await runImageBuild(
    build,
    {
      ...deps,
      // Packing them would take longer than copying them.
      layers: 'unpacked',
      watchSpace: deps.space.watch,
      async deliver(used, image, deliverySignal) {
        await checkArchitecture(image, deps, deliverySignal);
        await loadImage(used, image, build.spec, deps, deliverySignal);
      },
      toFailure,
    },
    signal,
  );
}

/** Every call to Docker may write to the disk of the machine. */
function toFailure(error: unknown): unknown {
  return error instanceof DockerError && mentionsDiskFull(error.message)
    ? new EngineFailure('disk-full', [], { cause: error })
    : error;
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
