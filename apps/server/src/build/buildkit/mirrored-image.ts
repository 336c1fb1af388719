import { DOCKER_HUB, hostOfImage } from '../registry-host.ts';
import type { RegistrySettings } from './buildkitd-config.ts';

const HUB_HOST = /^(?:(?:index|registry-1)\.)?docker\.io\/|^registry\.hub\.docker\.com\//;

/**
 * The names under which an engine itself tries to pull an image, such as the one of builders: first at the mirror if it is an
 * image of Docker Hub. A mirror that fails is not an error, because Docker Hub has the image too.
 */
export function pullNames(
  image: string,
  mirror: RegistrySettings['mirror'],
): [string, ...string[]] {
  // Image names cannot contain an IPv6 address.
  if (mirror === undefined || mirror.host.includes('[')) return [image];
  if (hostOfImage(image) !== DOCKER_HUB) return [image];
  const name = image.replace(HUB_HOST, '');
  const repository = name.includes('/') ? name : `library/${name}`;
  return [`${mirror.host}/${repository}`, image];
}
