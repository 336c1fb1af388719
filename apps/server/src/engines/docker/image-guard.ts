import { containerImageProblem } from '@longshore/contract';
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

/** As Docker reads a name: its first part is a host when it has a dot or a port, or is localhost. */
export function registryHost(image: string): string | undefined {
  const [first = '', ...rest] = image.split('/');
  if (rest.length === 0) return undefined;
  const isHost = first.includes('.') || first.includes(':') || first === 'localhost';
  return isHost ? first.replace(/:\d+$/, '') : undefined;
}
