import type { Http2ServerRequest } from 'node:http2';
import { type ReadHeaders, readHeaders } from './request-head.ts';

/** Characters that may stand in a head: others would be cut to one byte, which may be a line feed. */
const HEAD_TEXT = /^[\t\x20-\x7e\x80-\xff]*$/;
const METHOD = /^[\w!#$%&'*+.^`|~-]+$/;
/** nghttp2 checks it only if the scheme is http or https. */
const PATH = /^(?:\/[\x21-\x7e\x80-\xff]*|\*)$/;

/** The headers of a request over HTTP/2. A request that HTTP/1.1 cannot express has no host. */
export function readHttp2Headers(request: Http2ServerRequest, isProxied: boolean): ReadHeaders {
  const read = readHeaders(request.rawHeaders, isProxied);
  const { authority = '' } = request;
  const isValid =
    PATH.test(request.url) &&
    METHOD.test(request.method) &&
    request.method !== 'CONNECT' &&
    request.rawHeaders.every((text) => HEAD_TEXT.test(text)) &&
    (read.hosts === 0 || (read.hosts === 1 && (authority === '' || authority === read.host)));
  const framing =
    request.stream.endAfterHeaders && read.framing.kind !== 'unsupported'
      ? ({ kind: 'none' } as const)
      : read.framing.kind === 'none'
        ? ({ kind: 'chunked' } as const)
        : read.framing;
  const host = authority === '' ? read.host : authority;
  return { ...read, host, hosts: isValid ? 1 : 0, framing };
}
