import { isIPv6, type LookupFunction } from 'node:net';
import { OutboundFailure } from './outbound-fetch.ts';
import { isPrivateAddress } from './private-address.ts';
import { privateNetworkProblem } from './url-problem.ts';

export type LookupDeps = {
  allowLocal: boolean;
  resolve(host: string, signal: AbortSignal): Promise<string[]>;
};

type LookupCallback = Parameters<LookupFunction>[2];

const TIMEOUT_MS = 10_000;

/** The DNS lookup of outbound sockets. A host with any private address is refused. */
export function guardedLookup({ allowLocal, resolve }: LookupDeps): LookupFunction {
  async function resolveChecked(host: string): Promise<string[]> {
    const addresses = await resolve(host, AbortSignal.timeout(TIMEOUT_MS));
    if (!allowLocal && addresses.some(isPrivateAddress)) {
      throw new OutboundFailure('not-allowed', privateNetworkProblem(host));
    }
    return addresses;
  }

  async function lookup(host: string, isAll: boolean, callback: LookupCallback): Promise<void> {
    try {
      const [first, ...others] = (await resolveChecked(host)).map(withFamily);
      if (first === undefined) callback(new Error(`No address found for ${host}`), []);
      else if (isAll) callback(null, [first, ...others]);
      else callback(null, first.address, first.family);
    } catch (error) {
      callback(error as Error, []);
    }
  }

  return (host, { all = false }, callback) => void lookup(host, all, callback);
}

function withFamily(address: string) {
  return { address, family: isIPv6(address) ? 6 : 4 };
}
