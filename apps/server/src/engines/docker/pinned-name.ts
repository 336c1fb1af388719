import type { DockerParts } from './deps.ts';
import { findImage } from './images.ts';

/**
 * The name to pull an image by. A name that is here already is somebody's, and must not come to mean another image by our
 * pull, so then it is the digest that the registry gives for it.
 */
export async function pinnedName(
  name: string,
  parts: DockerParts,
  signal: AbortSignal,
): Promise<string> {
  if (name.includes('@') || (await findImage(name, parts, signal)) === undefined) return name;
  const { Descriptor } = await parts.docker.call<{ Descriptor: { digest: string } }>(
    'GET',
    `/distribution/${name}/json`,
    { signal },
  );
  return digestName(name, Descriptor.digest);
}

/** A registry's port is no tag. */
export function digestName(name: string, digest: string): string {
  const lastPart = name.lastIndexOf('/') + 1;
  const colon = name.indexOf(':', lastPart);
  return `${colon === -1 ? name : name.slice(0, colon)}@${digest}`;
}
