import type { BodyFraming } from './body-framing.ts';
import type { Client } from './client-address.ts';

/** Headers that apply to a single connection only (RFC 9110 §7.6.1). */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Headers that identify the client, set only by the ingress. CGI programs read `proxy` as a setting (httpoxy). */
const CLIENT_IDENTITY = new Set(['forwarded', 'x-real-ip', 'proxy']);
const CLIENT_IDENTITY_PREFIX = 'x-forwarded-';

/** For other methods without a body, Node's client would send an empty chunked body by default. */
const BODILESS_BY_DEFAULT = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE']);

export type ForwardedRequest = {
  method: string;
  rawHeaders: readonly string[];
  authority: string;
  client: Client;
  framing: BodyFraming;
};

/** The raw headers an app gets: without hop-by-hop headers, with client and framing headers set by the ingress. */
export function requestHeaders(request: ForwardedRequest): string[] {
  const headers = ['Host', request.authority];
  forEachEndToEndHeader(request.rawHeaders, (name, value, lowerName) => {
    if (lowerName === 'host' || lowerName === 'content-length') return;
    if (!isClientIdentity(lowerName)) headers.push(name, value);
  });
  const { framing } = request;
  if (framing.kind === 'length') headers.push('Content-Length', framing.length);
  if (framing.kind === 'chunked') headers.push('Transfer-Encoding', 'chunked');
  if (framing.kind === 'none' && !BODILESS_BY_DEFAULT.has(request.method)) {
    headers.push('Content-Length', '0');
  }
  const { address, protocol } = request.client;
  headers.push('X-Forwarded-For', address, 'X-Forwarded-Proto', protocol);
  headers.push('X-Forwarded-Host', request.authority);
  return headers;
}

/** The raw headers a client gets: those of the app, without hop-by-hop headers. */
export function responseHeaders(rawHeaders: readonly string[]): string[] {
  const headers: string[] = [];
  forEachEndToEndHeader(rawHeaders, (name, value) => headers.push(name, value));
  return headers;
}

/** Raw headers are a flat list: name, value, name, value. */
function forEachEndToEndHeader(
  rawHeaders: readonly string[],
  callback: (name: string, value: string, lowerName: string) => void,
): void {
  const connectionHeaders = namedInConnection(rawHeaders);
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    const lowerName = name.toLowerCase();
    if (HOP_BY_HOP.has(lowerName) || connectionHeaders?.has(lowerName)) continue;
    callback(name, rawHeaders[index + 1] ?? '', lowerName);
  }
}

/** Underscores count as dashes: many frameworks treat `X_Forwarded_For` as `X-Forwarded-For`. */
function isClientIdentity(lowerName: string): boolean {
  const name = lowerName.includes('_') ? lowerName.replaceAll('_', '-') : lowerName;
  return name.startsWith(CLIENT_IDENTITY_PREFIX) || CLIENT_IDENTITY.has(name);
}

function namedInConnection(rawHeaders: readonly string[]): Set<string> | undefined {
  let names: Set<string> | undefined;
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() !== 'connection') continue;
    for (const option of (rawHeaders[index + 1] ?? '').toLowerCase().split(',')) {
      const name = option.trim();
      if (name === 'keep-alive' || name === 'close') continue;
      names ??= new Set();
      names.add(name);
    }
  }
  return names;
}
