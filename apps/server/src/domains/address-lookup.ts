import { promises } from 'node:dns';

/** The IP addresses of a domain, possibly none. Undefined: no name server responded in time. */
export type AddressLookup = (domain: string, signal: AbortSignal) => Promise<string[] | undefined>;

/** The used part of Node's resolver. */
export type Resolver = {
  resolve4(domain: string): Promise<string[]>;
  resolve6(domain: string): Promise<string[]>;
  cancel(): void;
};

const TIMEOUT_MS = 5_000;
const TRIES = 2;
const NO_ADDRESS = new Set(['ENOTFOUND', 'ENODATA']);

/** Queries the name servers of this machine, not its hosts file. */
export function createAddressLookup(
  createResolver: () => Resolver = () =>
    new promises.Resolver({ timeout: TIMEOUT_MS / TRIES, tries: TRIES }),
  timeoutMs = TIMEOUT_MS,
): AddressLookup {
  return async (domain, signal) => {
    const resolver = createResolver();
    const cancel = () => resolver.cancel();
    const timer = setTimeout(cancel, timeoutMs);
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const addresses = await Promise.all([
        resolver.resolve4(domain).catch(noAddressesOrThrow),
        resolver.resolve6(domain).catch(noAddressesOrThrow),
      ]);
      return addresses.flat();
    } catch {
      return undefined;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
    }
  };
}

function noAddressesOrThrow(error: NodeJS.ErrnoException): string[] {
  if (NO_ADDRESS.has(error.code ?? '')) return [];
  throw error;
}
