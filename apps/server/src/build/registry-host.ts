import { registryOfImage } from '@longshore/contract';

/** The host of Docker Hub in image names and integrations. */
export const DOCKER_HUB = 'docker.io';

const DOCKER_HUB_ALIASES = ['index.docker.io', 'registry-1.docker.io', 'registry.hub.docker.com'];
const HOST = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::(\d{1,5}))?$/;
const MAX_LENGTH = 253;

/** Normalises the registry host that a user typed. Undefined if it cannot be part of an image name. */
export function parseRegistryHost(input: string): string | undefined {
  const host = input
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/\/+$/, '');
  const port = HOST.exec(host)?.[1];
  const isValid = HOST.test(host) && host.length <= MAX_LENGTH && Number(port ?? 1) <= 65_535;
  return isValid && registryOfImage(`${host}/image`) !== undefined ? canonical(host) : undefined;
}

/** The registry of an image; Docker Hub if its name contains no host. */
export function hostOfImage(image: string): string {
  const host = registryOfImage(image);
  return host === undefined ? DOCKER_HUB : canonical(host);
}

function canonical(host: string): string {
  const withoutPort = host.replace(/:443$/, '');
  return DOCKER_HUB_ALIASES.includes(withoutPort) ? DOCKER_HUB : host;
}
