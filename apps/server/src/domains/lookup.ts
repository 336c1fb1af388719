import { promises } from 'node:dns';

/** The addresses of a domain, none when it has none. Undefined: nobody answered in time. */
export type Lookup = (domain: string, signal: AbortSignal) => Promise<string[] | undefined>;

/** As much of Node's as is used. */
export type Resolver = {
  resolve4(domain: string): Promise<string[]>;
  resolve6(domain: string): Promise<string[]>;
  cancel(): void;
};

const ANSWER_MS = 5_000;
const TRIES = 2;
const NO_ADDRESS = new Set(['ENOTFOUND', 'ENODATA']);

/** Asks the name servers of this machine, not its own list of hosts. */
export function createLookup(
  createResolver: () => Resolver = () =>
    new promises.Resolver({ timeout: ANSWER_MS / TRIES, tries: TRIES }),
  answerMs = ANSWER_MS,
): Lookup {
  return async (domain, signal) => {
    const resolver = createResolver();
    const cancel = () => resolver.cancel();
    const late = setTimeout(cancel, answerMs);
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const found = await Promise.all([
        resolver.resolve4(domain).catch(noneOrThrow),
        resolver.resolve6(domain).catch(noneOrThrow),
      ]);
      return found.flat();
    } catch {
      return undefined;
    } finally {
      clearTimeout(late);
      signal.removeEventListener('abort', cancel);
    }
  };
}

function noneOrThrow(error: NodeJS.ErrnoException): string[] {
  if (NO_ADDRESS.has(error.code ?? '')) return [];
  throw error;
}
