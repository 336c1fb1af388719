import { DEFAULT_PORT, mainPort, type Port } from '@longshore/contract';
import { findOtherPort } from '../find-other-port.ts';
import type { Image } from './images.ts';

/**
 * The port of a container to which connections go. Port 80, the default, counts as not chosen: then it is the one that the app was
 * found to listen on, or the one that its image exposes.
 */
export function appPort(
  ports: Port[],
  { image, found }: { image: Image | undefined; found: number | undefined },
): number | undefined {
  const port = mainPort(ports);
  return port === DEFAULT_PORT ? (found ?? exposedPort(image) ?? port) : port;
}

function exposedPort(image: Image | undefined): number | undefined {
  const exposed = Object.keys(image?.Config?.ExposedPorts ?? {})
    .filter((name) => name.endsWith('/tcp'))
    .map((name) => ({ host: '0.0.0.0', port: Number.parseInt(name, 10) }));
  if (exposed.some(({ port }) => port === DEFAULT_PORT)) return DEFAULT_PORT;
  return findOtherPort(exposed)?.port;
}
