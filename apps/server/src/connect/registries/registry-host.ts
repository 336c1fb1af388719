import { registryOfImage } from '@longshore/contract';

/** Docker Hub, as image names and integrations call it. */
export const DOCKER_HUB = 'docker.io';

const OTHER_NAMES_OF_DOCKER_HUB = [
  'index.docker.io',
  'registry-1.docker.io',
  'registry.hub.docker.com',
];
const HOST = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::(\d{1,5}))?$/;
const MAX_LENGTH = 253;

/** The host of a registry as somebody typed it, in the one way we write it. Undefined: no image could name it. */
export function parseRegistryHost(given: string): string | undefined {
  const host = given
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/\/+$/, '');
  const port = HOST.exec(host)?.[1];
  const isGood = HOST.test(host) && host.length <= MAX_LENGTH && Number(port ?? 1) <= 65_535;
  return isGood && registryOfImage(`${host}/image`) !== undefined ? canonical(host) : undefined;
}

/** Where an image comes from. One that names no host comes from Docker Hub. */
export function hostOfImage(image: string): string {
  const host = registryOfImage(image);
  return host === undefined ? DOCKER_HUB : canonical(host);
}

function canonical(host: string): string {
  const plain = host.replace(/:443$/, '');
  return OTHER_NAMES_OF_DOCKER_HUB.includes(plain) ? DOCKER_HUB : host;
}
