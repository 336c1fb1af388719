import { isIPv6, type LookupFunction } from 'node:net';
import { privateProblem } from './address-problem.ts';
import { OutboundFailure } from './outbound-fetch.ts';
import { isPrivateAddress } from './private-address.ts';

export type LookupDeps = {
  allowLocal: boolean;
  resolve(host: string, signal: AbortSignal): Promise<string[]>;
};

const DEADLINE_MS = 10_000;

/** What sockets ask for the address to connect to. One private address among others is enough to refuse them all. */
export function guardedLookup({ allowLocal, resolve }: LookupDeps): LookupFunction {
  async function addressesOf(host: string): Promise<string[]> {
    const addresses = await resolve(host, AbortSignal.timeout(DEADLINE_MS));
    if (!allowLocal && addresses.some(isPrivateAddress)) {
      throw new OutboundFailure('not-allowed', privateProblem(host));
    }
    return addresses;
  }

  async function answer(host: string, isAll: boolean, done: Done): Promise<void> {
    try {
      const [first, ...others] = (await addressesOf(host)).map(withFamily);
      if (first === undefined) done(new Error(`No address is known for ${host}`), []);
      else if (isAll) done(null, [first, ...others]);
      else done(null, first.address, first.family);
    } catch (error) {
      done(error as Error, []);
    }
  }

  return (host, { all = false }, done) => void answer(host, all, done);
}

type Done = Parameters<LookupFunction>[2];

function withFamily(address: string) {
  return { address, family: isIPv6(address) ? 6 : 4 };
}
