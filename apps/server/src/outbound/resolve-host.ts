import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';

const TIMEOUT_MS = 10_000;

/** All addresses of a host name, as programs of this machine would find them. */
export async function resolveHost(host: string, signal: AbortSignal): Promise<string[]> {
  if (isIP(host) !== 0) return [host];
  const stopped = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const abandoned = new Promise<never>((_, reject) => {
    stopped.addEventListener('abort', () => reject(stopped.reason), { once: true });
  });
  const answers = await Promise.race([lookup(host, { all: true }), abandoned]);
  return answers.map(({ address }) => address);
}
