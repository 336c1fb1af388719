import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';

const TIMEOUT_MS = 10_000;

/** All addresses of a host name, from the resolver of the operating system. */
export async function resolveHost(host: string, signal: AbortSignal): Promise<string[]> {
  if (isIP(host) !== 0) return [host];
  const aborted = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const rejectedOnAbort = new Promise<never>((_, reject) => {
    aborted.addEventListener('abort', () => reject(aborted.reason), { once: true });
  });
  const results = await Promise.race([lookup(host, { all: true }), rejectedOnAbort]);
  return results.map(({ address }) => address);
}
