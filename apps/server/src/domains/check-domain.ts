import type { DomainCheck } from '@longshore/contract';
import type { Claims } from './claims.ts';
import { leadsTo } from './leads-to.ts';
import type { Lookup } from './lookup.ts';

export type CheckDomainDeps = {
  claims: Claims;
  lookup: Lookup;
  publicIp: string;
  /** The routes of these apps may have changed. */
  requestPass(appId: string): void;
};

/** Looks where a domain leads, and gives it to the app if it leads here and is nobody else's. */
export async function checkDomain(
  { domain, appId }: { domain: string; appId: string },
  { claims, lookup, publicIp, requestPass }: CheckDomainDeps,
  signal: AbortSignal,
): Promise<DomainCheck> {
  const seen = leadsTo(await lookup(domain, signal), publicIp);
  const { addresses } = seen;
  if (seen.state === 'verified') {
    const { isHeld, rivals } = await claims.claim(domain, appId);
    if (isHeld) for (const rival of rivals) requestPass(rival);
    return { state: isHeld ? 'verified' : 'taken', addresses };
  }
  // Whether it still leads here cannot be told from silence.
  if (seen.state !== 'unanswered') await claims.giveUp(domain, appId);
  const isTaken = await claims.isHeldByOther(domain, appId);
  return isTaken ? { state: 'taken', addresses } : seen;
}
