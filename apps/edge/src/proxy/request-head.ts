import type { Connection } from '@longshore/edge-contract';
import { mayBeTrailer, namesInConnection, requestHeaderKind } from './header-kinds.ts';

/** How the body of a request is delimited. `length` may be 0. */
export type BodyFraming =
  | { kind: 'none' }
  | { kind: 'length'; length: string }
  | { kind: 'chunked' }
  | { kind: 'unsupported' };

/** The headers of a request, read once. */
export type ReadHeaders = {
  /** The lines an app gets as they are. */
  lines: string;
  host: string;
  hosts: number;
  framing: BodyFraming;
  expectsContinue: boolean;
};

export type ForwardedRequest = {
  method: string;
  path: string;
  authority: string;
  headers: Pick<ReadHeaders, 'lines' | 'framing'>;
  connection: Pick<Connection, 'address' | 'protocol'>;
  isUpgrade: boolean;
};

const NO_BODY: BodyFraming = { kind: 'none' };
const CHUNKED: BodyFraming = { kind: 'chunked' };
const UNSUPPORTED: BodyFraming = { kind: 'unsupported' };

/** Servers expect a length in requests with other methods, even if there is no body. */
const BODILESS = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE']);

/**
 * Raw headers are a flat list: name, value, name, value. The headers that Connection names are not passed on, nor those
 * in `dropped`, which are in lower case.
 */
export function readHeaders(
  rawHeaders: readonly string[],
  isProxied: boolean,
  dropped?: Set<string>,
): ReadHeaders {
  let lines = '';
  let host = '';
  let hosts = 0;
  let length: string | undefined;
  let coding: string | undefined;
  let cookies: string | undefined;
  let expectsContinue = false;
  let connectionNames: Set<string> | undefined;
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    const value = rawHeaders[index + 1] as string;
    switch (requestHeaderKind(name)) {
      case 'pass':
        break;
      case 'proxy':
        if (!isProxied) continue;
        break;
      case 'expect':
        if (value.toLowerCase() === '100-continue') expectsContinue = true;
        break;
      case 'cookie':
        // HTTP/2 visitors may send one cookie per header (RFC 9113 §8.2.3).
        cookies = cookies === undefined ? value : `${cookies}; ${value}`;
        continue;
      case 'host':
        host = value;
        hosts += 1;
        continue;
      case 'content-length':
        length = length === undefined ? value : `${length}, ${value}`;
        continue;
      case 'transfer-encoding':
        coding = coding === undefined ? value : `${coding}, ${value}`;
        continue;
      case 'connection':
        for (const option of namesInConnection(value)) {
          if (dropped?.has(option)) continue;
          connectionNames ??= new Set(dropped);
          connectionNames.add(option);
        }
        continue;
      default:
        continue;
    }
    if (dropped?.has(name.toLowerCase())) continue;
    lines += `${name}: ${value}\r\n`;
  }
  if (connectionNames !== undefined) return readHeaders(rawHeaders, isProxied, connectionNames);
  if (cookies !== undefined && !dropped?.has('cookie')) lines += `Cookie: ${cookies}\r\n`;
  return { lines, host, hosts, framing: framingOf(length, coding), expectsContinue };
}

/** Only a single `chunked` coding can be forwarded: Node decodes it, other codings would be lost. */
function framingOf(length: string | undefined, coding: string | undefined): BodyFraming {
  if (coding !== undefined) {
    return length === undefined && coding.trim().toLowerCase() === 'chunked'
      ? CHUNKED
      : UNSUPPORTED;
  }
  if (length === undefined) return NO_BODY;
  return /^\d{1,15}$/.test(length) ? { kind: 'length', length } : UNSUPPORTED;
}

/** Many clients send a Content-Length of 0 with requests that have no body. */
export function hasBody(framing: BodyFraming): boolean {
  return framing.kind === 'chunked' || (framing.kind === 'length' && Number(framing.length) > 0);
}

/** The head an app gets: without hop-by-hop headers, with client and framing headers set by the proxy. */
export function requestHead(request: ForwardedRequest): string {
  const { method, path, authority, headers, connection } = request;
  let head = `${method} ${path} HTTP/1.1\r\nHost: ${authority}\r\n${headers.lines}`;
  const { framing } = headers;
  if (framing.kind === 'length') head += `Content-Length: ${framing.length}\r\n`;
  else if (framing.kind === 'chunked') head += 'Transfer-Encoding: chunked\r\n';
  else if (!BODILESS.has(method)) head += 'Content-Length: 0\r\n';
  if (request.isUpgrade) head += 'Connection: Upgrade\r\nUpgrade: websocket\r\n';
  return `${head}X-Forwarded-For: ${connection.address}\r\nX-Forwarded-Proto: ${connection.protocol}\r\nX-Forwarded-Host: ${authority}\r\n\r\n`;
}

/** The lines of the trailers that an app gets. */
export function trailerLines(rawTrailers: readonly string[]): string {
  let lines = '';
  for (let index = 0; index + 1 < rawTrailers.length; index += 2) {
    const name = rawTrailers[index] as string;
    if (!mayBeTrailer(requestHeaderKind(name), name)) continue;
    lines += `${name}: ${rawTrailers[index + 1]}\r\n`;
  }
  return lines;
}
