import { SocketAddress } from 'node:net';
import type { DomainCheck } from '@longshore/contract';
import type { AddressLookup } from './address-lookup.ts';
import type { DomainClaims } from './domain-claims.ts';

export type CheckDomainDeps = {
  claims: DomainClaims;
  lookup: AddressLookup;
  publicIp: string;
  /** Called for every app whose route may have changed. */
  requestPass(appId: string): void;
};

/** Looks up the DNS records of a domain, and assigns it to the app if they point to this server and no other app holds it. */
export async function checkDomain(
  { domain, appId }: { domain: string; appId: string },
  { claims, lookup, publicIp, requestPass }: CheckDomainDeps,
  signal: AbortSignal,
): Promise<DomainCheck> {
  const records = dnsState(await lookup(domain, signal), publicIp);
  const { addresses } = records;
  if (records.state === 'verified') {
    const { isHeld, claimants } = await claims.claim(domain, appId);
    if (isHeld) for (const claimant of claimants) requestPass(claimant);
    return { state: isHeld ? 'verified' : 'taken', addresses };
  }
  // Without a response, the domain may still point to this server.
  if (records.state !== 'unanswered') await claims.release(domain, appId);
  const isTaken = await claims.isHeldByOther(domain, appId);
  return isTaken ? { state: 'taken', addresses } : records;
}

/** What the addresses of a domain mean, regardless of which app holds it. */
export function dnsState(
  addresses: string[] | undefined,
  publicIp: string,
): DomainCheck & { state: 'verified' | 'elsewhere' | 'missing' | 'unanswered' } {
  if (addresses === undefined) return { state: 'unanswered', addresses: [] };
  if (addresses.length === 0) return { state: 'missing', addresses };
  const pointsHere = addresses.some((address) => normalized(address) === normalized(publicIp));
  return { state: pointsHere ? 'verified' : 'elsewhere', addresses };
}

/** An IPv6 address can be written in several ways. */
function normalized(address: string): string {
  return address.includes(':') ? new SocketAddress({ address, family: 'ipv6' }).address : address;
}
