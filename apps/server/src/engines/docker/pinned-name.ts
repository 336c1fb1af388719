import type { DockerParts } from './deps.ts';
import { findImage } from './images.ts';

/**
 * The name to pull an image by. A name that is here already is somebody's, and must not come to mean another image by our
 * pull, so then it is the digest that the registry gives for it. A digest is asked for too: what is here of it may have
 * been pulled with somebody else's access, and the Engine would ask nobody.
 */
export async function pinnedName(
  name: string,
  headers: Record<string, string>,
  parts: DockerParts,
  signal: AbortSignal,
): Promise<string> {
  const isDigest = name.includes('@');
  if (!isDigest && (await findImage(name, parts, signal)) === undefined) return name;
  const { Descriptor } = await parts.docker.call<{ Descriptor: { digest: string } }>(
    'GET',
    `/distribution/${name}/json`,
    { headers, signal },
  );
  return isDigest ? name : digestName(name, Descriptor.digest);
}

/** A registry's port is no tag. */
export function digestName(name: string, digest: string): string {
  const lastPart = name.lastIndexOf('/') + 1;
  const colon = name.indexOf(':', lastPart);
  return `${colon === -1 ? name : name.slice(0, colon)}@${digest}`;
}
