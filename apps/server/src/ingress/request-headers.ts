import { eachForwarded, isClientClaim } from './hop-headers.ts';
import type { Visitor } from './visitor.ts';

/** Node's client frames these without a body unless told; the others would become chunked. */
const BODILESS_BY_DEFAULT = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE']);

/** How the body of a request is framed, as the parser understood it. */
export type Framing =
  | { kind: 'none' }
  | { kind: 'length'; length: string }
  | { kind: 'chunked' }
  | { kind: 'refused' };

export type ForwardedRequest = {
  method: string;
  rawHeaders: readonly string[];
  authority: string;
  visitor: Visitor;
  framing: Framing;
};

/** The raw headers an app gets: no hop-by-hop header, our own word on who asks, the framing set by us. */
export function requestHeaders(request: ForwardedRequest): string[] {
  const headers = ['Host', request.authority];
  eachForwarded(request.rawHeaders, (name, value, lowerName) => {
    if (lowerName === 'host' || lowerName === 'content-length' || isClientClaim(lowerName)) return;
    headers.push(name, value);
  });
  const { framing } = request;
  if (framing.kind === 'length') headers.push('Content-Length', framing.length);
  if (framing.kind === 'chunked') headers.push('Transfer-Encoding', 'chunked');
  if (framing.kind === 'none' && !BODILESS_BY_DEFAULT.has(request.method)) {
    headers.push('Content-Length', '0');
  }
  const { address, protocol } = request.visitor;
  headers.push('X-Forwarded-For', address, 'X-Forwarded-Proto', protocol);
  headers.push('X-Forwarded-Host', request.authority);
  return headers;
}

/** Many clients say of every request how long its body is, also when there is none. */
export function bodyFollows(framing: Framing): boolean {
  return framing.kind === 'chunked' || (framing.kind === 'length' && Number(framing.length) > 0);
}

/** A coding other than a single `chunked` would be lost on the way, so it is refused. */
export function framingOf(headers: NodeJS.Dict<string | string[]>): Framing {
  const { 'transfer-encoding': encoding, 'content-length': length } = headers;
  if (encoding !== undefined && length !== undefined) return { kind: 'refused' };
  if (encoding !== undefined) {
    const isChunked = typeof encoding === 'string' && encoding.trim().toLowerCase() === 'chunked';
    return { kind: isChunked ? 'chunked' : 'refused' };
  }
  return typeof length === 'string' ? { kind: 'length', length } : { kind: 'none' };
}
