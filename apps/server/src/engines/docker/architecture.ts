import { EngineFailure } from '../failure.ts';
import type { DockerParts } from './deps.ts';
import type { Image } from './images.ts';

/** What else a machine runs by itself. */
const ALSO: Record<string, string[]> = { amd64: ['386'], arm64: ['arm'] };

/** Docker takes an image of another kind of machine, and only the app would say that it cannot run. */
export async function checkArchitecture(
  { Architecture }: Pick<Image, 'Architecture'>,
  { docker }: DockerParts,
  signal: AbortSignal,
): Promise<void> {
  const { Arch } = await docker.call<{ Arch: string }>('GET', '/version', { signal });
  if (canRun(Arch, Architecture)) return;
  const evidence = `The image is made for ${Architecture}, this machine is ${Arch}`;
  throw new EngineFailure('image-wrong-architecture', [evidence]);
}

export function canRun(machine: string, image: string): boolean {
  return image === '' || image === machine || (ALSO[machine] ?? []).includes(image);
}
