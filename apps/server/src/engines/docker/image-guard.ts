import { containerImageProblem, registryOfImage } from '@longshore/contract';
import { isPrivateAddress } from '../../outbound/private-address.ts';
import { EngineFailure } from '../failure.ts';
import type { DockerParts } from './deps.ts';

/** Refuses registries inside the operator's own network, unless they are allowed. */
export async function guardImage(
  image: string,
  { allowLocalSources, resolve }: Pick<DockerParts, 'allowLocalSources' | 'resolve'>,
  signal: AbortSignal,
): Promise<void> {
  const problem = containerImageProblem(image);
  if (problem !== undefined) throw new EngineFailure('source-not-allowed', [problem]);
  const host = registryHost(image);
  if (host === undefined || allowLocalSources) return;
  const addresses = await resolve(host, signal);
  if (!addresses.some(isPrivateAddress)) return;
  throw new EngineFailure('source-not-allowed', [`${host} is in a private network`]);
}

export function registryHost(image: string): string | undefined {
  return registryOfImage(image)?.replace(/:\d+$/, '');
}
