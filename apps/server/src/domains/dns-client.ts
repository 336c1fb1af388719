import { promises } from 'node:dns';
import { proofNameOf } from '@longshore/contract';
import type { DnsAnswers } from './domain-rules.ts';

/** Never rejects: what the name servers do not answer within the deadline is missing from the answers. */
export type DnsClient = (domain: string, signal: AbortSignal) => Promise<DnsAnswers>;

const TIMEOUT_MS = 8_000;
const QUERY_TIMEOUT_MS = 2_000;
const TRIES = 2;
const MAX_ALIASES = 8;

/** The name or the record does not exist. Any other error is no answer. */
const NO_RECORD = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

/** Queries name servers, not the machine's hosts file. `servers`: addresses with an optional port. Empty: the system's. */
export function createDnsClient({
  servers,
  timeoutMs = TIMEOUT_MS,
}: {
  servers: string[];
  timeoutMs?: number;
}): DnsClient {
  return async (domain, signal) => {
    const resolver = new promises.Resolver({
      timeout: QUERY_TIMEOUT_MS,
      maxTimeout: QUERY_TIMEOUT_MS,
      tries: TRIES,
    });
    if (servers.length > 0) resolver.setServers(servers);
    const cancel = () => resolver.cancel();
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    deadline.addEventListener('abort', cancel, { once: true });
    const ask = async <T>(query: () => Promise<T[]>): Promise<T[] | undefined> => {
      if (deadline.aborted) return undefined;
      try {
        return await query();
      } catch (error) {
        return NO_RECORD.has((error as NodeJS.ErrnoException).code ?? '') ? [] : undefined;
      }
    };
    try {
      const [txt, cname, ipv4, ipv6] = await Promise.all([
        ask(() => resolver.resolveTxt(proofNameOf(domain))),
        followAliases(domain, (name) => ask(() => resolver.resolveCname(name))),
        ask(() => resolver.resolve4(domain)),
        ask(() => resolver.resolve6(domain)),
      ]);
      return {
        txt: txt?.map(recordText),
        cname,
        addresses: ipv4 && ipv6 && [...ipv4, ...ipv6],
      };
    } finally {
      deadline.removeEventListener('abort', cancel);
    }
  };
}

/** A long record is split into several strings. Some providers store the quotation marks that users paste. */
function recordText(strings: string[]): string {
  return strings
    .join('')
    .trim()
    .replace(/^"(.*)"$/s, '$1')
    .trim();
}

/** Follows CNAME records from the domain on, not forever. Name servers may answer in any case. */
async function followAliases(
  domain: string,
  aliasesOf: (name: string) => Promise<string[] | undefined>,
): Promise<DnsAnswers['cname']> {
  const targets: string[] = [];
  for (let name = domain; targets.length < MAX_ALIASES; ) {
    const aliases = await aliasesOf(name);
    const next = aliases?.[0]?.toLowerCase().replace(/\.$/, '');
    if (next === undefined) return { targets, isComplete: aliases !== undefined };
    if (next === domain || targets.includes(next)) break;
    targets.push(next);
    name = next;
  }
  return { targets, isComplete: true };
}
