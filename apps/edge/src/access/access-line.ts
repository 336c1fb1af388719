import type { AccessLine } from '@longshore/edge-contract';
import type { EndedRequest } from '../proxy/request-facts.ts';

/** As nginx logs it: the visitor closed the connection before there was a response. */
export const CLIENT_CLOSED_REQUEST = 499;

const MAX_PATH_LENGTH = 1_024;
const MAX_HOST_LENGTH = 255;
const MAX_METHOD_LENGTH = 32;
/** Everything but visible ASCII. */
const UNPRINTABLE = /[^\x21-\x7e]/g;
const QUERY = /[?#]/;

/** A line that any terminal and log viewer can show: visible ASCII of limited length, without the query. */
export function accessLine(
  { method, host, path, status, bytesOut }: EndedRequest,
  { appId, at, durationMs }: Pick<AccessLine, 'appId' | 'at' | 'durationMs'>,
): AccessLine {
  return {
    appId,
    at,
    method: printable(method, MAX_METHOD_LENGTH),
    host: printable(host, MAX_HOST_LENGTH),
    path: printable(withoutQuery(path), MAX_PATH_LENGTH),
    status: status === 0 ? CLIENT_CLOSED_REQUEST : status,
    durationMs: Math.round(durationMs * 10) / 10,
    bytes: bytesOut,
  };
}

function withoutQuery(path: string): string {
  const query = path.search(QUERY);
  return query === -1 ? path : path.slice(0, query);
}

/** Truncated before it is encoded, so that a long path costs little; and after, because encoding makes it longer. */
function printable(text: string, maxLength: number): string {
  const encoded = text.slice(0, maxLength + 1).replace(UNPRINTABLE, percentEncoded);
  return encoded.length > maxLength ? `${encoded.slice(0, maxLength)}…` : encoded;
}

/** Node reads the bytes of a head as Latin-1. */
function percentEncoded(character: string): string {
  const code = character.charCodeAt(0);
  return code <= 0xff ? `%${code.toString(16).toUpperCase().padStart(2, '0')}` : '%3F';
}
