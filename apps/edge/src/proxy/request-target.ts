import { boundedCache } from './bounded-cache.ts';

const ABSOLUTE_FORM = /^https?:\/\/([^/?#]*)(.*)$/i;

/** The authority as the client sent it, and the path in origin form. */
export type RequestTarget = { authority: string; path: string };

/** An absolute-form target overrides the Host header (RFC 9112 §3.2.2). */
export function requestTarget(url: string, host: string): RequestTarget {
  if (url.startsWith('/')) return { authority: host, path: url };
  const [, authority, rest] = ABSOLUTE_FORM.exec(url) ?? [];
  if (authority === undefined || rest === undefined) return { authority: host, path: url };
  return { authority, path: rest.startsWith('/') ? rest : `/${rest}` };
}

/** An IPv6 literal in its brackets, or anything else up to the port. */
const AUTHORITY = /^(\[[0-9a-f:.]+\]|[^.\s:@/?#[\]][^\s:@/?#[\]]*?)\.?(?::\d*)?$/;

const MAX_CACHED = 4_096;

/** The bare host of an authority: lower case, no port, no trailing dot. Empty if the authority is invalid. */
export const hostName = boundedCache(
  (authority) => AUTHORITY.exec(authority.toLowerCase())?.[1] ?? '',
  MAX_CACHED,
);
