import { dashedName, mayPassOn } from '@longshore/edge-contract';
import { boundedCache } from './bounded-cache.ts';

/** What the proxy does with a header, by its name. */
export type HeaderKind =
  | 'pass'
  /** Passed on if a trusted proxy sent it. */
  | 'proxy'
  /** Applies to one connection only, or is set by the proxy itself. */
  | 'drop'
  | 'host'
  | 'content-length'
  | 'transfer-encoding'
  | 'connection'
  | 'expect'
  | 'cookie'
  | 'keep-alive'
  | 'upgrade'
  | 'trailer';

const UNTRUSTED = { isProxied: false };
const TRUSTED = { isProxied: true };

const MAX_CACHED = 1_024;

const OF_CONNECTION: Record<string, HeaderKind> = {
  connection: 'connection',
  'content-length': 'content-length',
  // Node throws when it sends one over HTTP/2.
  'http2-settings': 'drop',
  'keep-alive': 'keep-alive',
  'proxy-authenticate': 'drop',
  'proxy-authorization': 'drop',
  'proxy-connection': 'drop',
  te: 'drop',
  trailer: 'trailer',
  'transfer-encoding': 'transfer-encoding',
  upgrade: 'upgrade',
};

/** 1 for each length that such a name has: names of other lengths need no lookup. */
export const OF_CONNECTION_LENGTHS = new Uint8Array(256);
for (const name of Object.keys(OF_CONNECTION)) OF_CONNECTION_LENGTHS[name.length] = 1;

/**
 * Headers that apps get from the proxy, or from nobody: `forwarded` could contradict the others, and CGI programs read
 * `proxy` as a setting (httpoxy).
 */
const SET_BY_PROXY = new Set([
  'content-length',
  'forwarded',
  'host',
  'proxy',
  'transfer-encoding',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
]);

export const requestHeaderKind = boundedCache((name): HeaderKind => {
  const lowerName = name.toLowerCase();
  const ofConnection = OF_CONNECTION[lowerName];
  if (ofConnection !== undefined) return ofConnection;
  if (lowerName === 'host' || lowerName === 'expect' || lowerName === 'cookie') return lowerName;
  // HTTP/2 sends method, path and host as headers whose names begin with a colon.
  if (lowerName.startsWith(':') || SET_BY_PROXY.has(dashedName(name))) return 'drop';
  if (mayPassOn(name, UNTRUSTED)) return 'pass';
  return mayPassOn(name, TRUSTED) ? 'proxy' : 'drop';
}, MAX_CACHED);

export const responseHeaderKind = boundedCache(
  (name): HeaderKind => OF_CONNECTION[name.toLowerCase()] ?? 'pass',
  MAX_CACHED,
);

/** Fields that would change how a message is framed, routed or authenticated (RFC 9110 §6.5.1). */
const NOT_IN_TRAILERS =
  /^(?:authorization|cache-control|content-.*|cookie|date|expires|if-.*|max-forwards|pragma|range|set-cookie|vary|www-authenticate)$/i;

export function mayBeTrailer(kind: HeaderKind, name: string): boolean {
  return kind === 'pass' && !NOT_IN_TRAILERS.test(name);
}

/** The header names in a Connection header, in lower case. Empty for the usual options. */
export function namesInConnection(value: string): string[] {
  if (value === 'keep-alive' || value === 'close') return [];
  return value
    .toLowerCase()
    .split(',')
    .map((option) => option.trim())
    .filter((name) => name !== '' && name !== 'keep-alive' && name !== 'close');
}
