import { OutboundFailure } from './outbound-fetch.ts';
import type { Hop } from './send-once.ts';

const REDIRECTS = [301, 302, 303, 307, 308];
const READING = ['GET', 'HEAD'];
/** What tells an origin who we are. */
const CREDENTIALS = ['authorization', 'cookie', 'private-token', 'proxy-authorization'];

/**
 * Where an answer leads, if anywhere. Only reading follows: what else is sent may hold secrets in its body. To another
 * origin nothing is carried that tells who we are.
 */
export function nextHop(hop: Hop, response: Response): Hop | undefined {
  const location = response.headers.get('location');
  if (!REDIRECTS.includes(response.status) || location === null) return undefined;
  if (!READING.includes(hop.method) || hop.body !== undefined) {
    throw new OutboundFailure('redirected', 'It redirects elsewhere');
  }
  if (!URL.canParse(location, hop.url.href)) {
    throw new OutboundFailure('redirected', 'It redirects nowhere');
  }
  const url = new URL(location, hop.url);
  const isSameOrigin = url.origin === hop.url.origin;
  return { ...hop, url, headers: isSameOrigin ? hop.headers : anonymous(hop.headers) };
}

function anonymous(headers: Record<string, string>): Record<string, string> {
  const entries = Object.entries(headers);
  return Object.fromEntries(entries.filter(([name]) => !CREDENTIALS.includes(name.toLowerCase())));
}
