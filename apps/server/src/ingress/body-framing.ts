/** How the body of a request is delimited, as Node's parser understood it. */
export type BodyFraming =
  | { kind: 'none' }
  | { kind: 'length'; length: string }
  | { kind: 'chunked' }
  | { kind: 'unsupported' };

/** Only a single `chunked` coding can be forwarded: Node decodes it, other codings would be lost. */
export function bodyFraming(headers: NodeJS.Dict<string | string[]>): BodyFraming {
  const { 'transfer-encoding': encoding, 'content-length': length } = headers;
  if (encoding !== undefined && length !== undefined) return { kind: 'unsupported' };
  if (encoding !== undefined) {
    const isChunked = typeof encoding === 'string' && encoding.trim().toLowerCase() === 'chunked';
    return { kind: isChunked ? 'chunked' : 'unsupported' };
  }
  return typeof length === 'string' ? { kind: 'length', length } : { kind: 'none' };
}

/** Many clients send a Content-Length of 0 with requests that have no body. */
export function hasBody(framing: BodyFraming): boolean {
  return framing.kind === 'chunked' || (framing.kind === 'length' && Number(framing.length) > 0);
}
