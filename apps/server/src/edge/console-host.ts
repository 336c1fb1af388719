import { isIP } from 'node:net';
import { type AppRoute, CONSOLE_ID } from '@longshore/edge-contract';

const HTTPS_PORT = 443;

/** The host at which the edge serves the console. Undefined: browsers use the console's own port. */
export function consoleHostOf(publicUrl: string): string | undefined {
  const { protocol, hostname } = new URL(publicUrl);
  const isAddress = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
  return protocol === 'https:' && !isAddress ? hostname : undefined;
}

/** The port in the console's URL. Undefined: browsers use the console's own port. */
export function consolePortOf(publicUrl: string): number | undefined {
  const { port } = new URL(publicUrl);
  return consoleHostOf(publicUrl) === undefined ? undefined : Number(port || HTTPS_PORT);
}

/**
 * What apps below the base domain would share with the console. A page may set cookies for each domain above its host, and
 * use the passkeys of its host and of each domain above it. So apps share cookies with a console above, below or at the base
 * domain. With a console above or at the base domain they share passkeys too. Beside each other they share neither: the
 * cookies of the console have the prefix `__Host-`, which pages of other hosts cannot set.
 */
export function sharedWithApps(
  consoleHost: string,
  baseDomain: string,
): 'nothing' | 'cookies' | 'cookies and passkeys' {
  if (baseDomain === 'localhost' || baseDomain.endsWith('.localhost')) return 'nothing';
  if (`.${baseDomain}`.endsWith(`.${consoleHost}`)) return 'cookies and passkeys';
  return `.${consoleHost}`.endsWith(`.${baseDomain}`) ? 'cookies' : 'nothing';
}

/** `socket`: where the server listens for the edge. */
export function consoleRoute(host: string, socket: string, hsts: boolean): AppRoute {
  return {
    appId: CONSOLE_ID,
    hosts: [host],
    state: { kind: 'live', targets: [{ socket, state: 'ready' }] },
    ...(hsts && { policy: { hsts } }),
  };
}
