import type { Connection } from './client-address.ts';

/**
 * Names under which proxies and CDNs pass on the client's address: True-Client-IP, X-Real-IP, CF-Connecting-IPv6,
 * X-Appengine-User-IP, X-Azure-ClientIP, X-Envoy-External-Address, X-Nf-Client-Connection-IP and others.
 */
const CLIENT_ADDRESS =
  /(?:client|cluster|connect(?:ing|ion)|external|originating|peer|real|remote|socket|source|src|user|visitor)-?(?:ip|ipv[46]|addr)$|(?:client|external|peer|remote)-?address$|(?:^|-)forwarded-for$/;

/** Names whose every header is set by a proxy or CDN. */
const PREFIXES = ['x-forwarded-', 'x-appengine-', 'x-original-', 'x-vercel-ip-'];

const NAMES = new Set([
  'forwarded',
  'x-forwarded',
  // The country, the protocol and an alternative address of the client.
  'cf-ipcountry',
  'cf-pseudo-ipv4',
  'cf-visitor',
  'fastly-ssl',
  'front-end-https',
  'x-scheme',
  'x-url-scheme',
  // Another URL than the requested one, or files to send in its place.
  'x-rewrite-url',
  'x-accel-mapping',
  'x-sendfile-type',
]);

/**
 * Whether a header of a request may be passed on. Only a trusted proxy may state who the client is, how it connected and
 * what it requested. No proxy does so with underscores, so a client wrote such names even if a proxy passed them on.
 */
export function mayPassOn(
  headerName: string,
  { isProxied }: Pick<Connection, 'isProxied'>,
): boolean {
  return !isProxyHeader(headerName) || (isProxied && !headerName.includes('_'));
}

/** Underscores count as dashes: many frameworks treat `X_Real_IP` as `X-Real-IP`. */
function isProxyHeader(headerName: string): boolean {
  const name = dashedName(headerName);
  return (
    NAMES.has(name) ||
    PREFIXES.some((prefix) => name.startsWith(prefix)) ||
    CLIENT_ADDRESS.test(name)
  );
}

/** The name in lower case, as programs compare it that treat underscores as dashes. */
export function dashedName(headerName: string): string {
  return headerName.toLowerCase().replaceAll('_', '-');
}
