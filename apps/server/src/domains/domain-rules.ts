import { SocketAddress } from 'node:net';
import { DOMAIN_PROOFS, type DomainProof, isGeneratedHostOf } from '@longshore/contract';

/** What the name servers answered about a domain. Undefined: no answer, which is never a reason to withdraw a proof. */
export type DnsAnswers = {
  txt: string[] | undefined;
  /** The CNAME records from the domain on. `isComplete`: no further one was left out or went unanswered. */
  cname: { targets: string[]; isComplete: boolean };
  addresses: string[] | undefined;
};

/** A custom domain in the settings of an app. Times are in milliseconds since the epoch. */
export type Claim = {
  appId: string;
  ownerId: string;
  /** The owner's TXT token, if there is one. */
  token: string | undefined;
  claimedAt: number;
  proof: DomainProof | undefined;
  /** Since when it has been proved without interruption. */
  provedSince: number | undefined;
  /** When a check last found a proof. */
  provedAt: number | undefined;
  /** The first check since `provedAt` that found none. */
  missingSince: number | undefined;
  /** Routed without a proof until then. */
  routedUntil: number | undefined;
  isRouted: boolean;
};

export type DomainContext = {
  now: number;
  /** Then an A record proves nothing: every account's domains point to the same address. */
  hasSeveralAccounts: boolean;
  /** The domain belongs to the installation, so no app can claim it. */
  isReserved: boolean;
  baseDomain: string;
  publicIp: string;
};

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const LAPSE_MS = 7 * DAY_MS;
const CLAIM_MS = 7 * DAY_MS;
const GRACE_MS = 30 * DAY_MS;

/**
 * The claims of one domain after a check. One set of answers decides about all of them, so at most one is routed whatever
 * the order of the checks.
 */
export function settleClaims(
  claims: Claim[],
  answers: DnsAnswers,
  context: DomainContext,
): Claim[] {
  const checked = claims.map((claim) => checkClaim(claim, answers, context));
  const holder = holderOf(checked, context.now);
  return checked.map((claim) => ({
    ...claim,
    routedUntil: isProvedByOther(claim, holder) ? undefined : claim.routedUntil,
    isRouted: claim === holder,
  }));
}

type Finding = 'found' | 'missing' | 'unanswered';

function checkClaim(claim: Claim, answers: DnsAnswers, context: DomainContext): Claim {
  const { now } = context;
  const findings = findingsOf(claim, answers, context);
  const isMissing = claim.missingSince !== undefined;
  const current = DOMAIN_PROOFS.find(
    (proof) =>
      findings[proof] === 'found' ||
      (findings[proof] === 'unanswered' && proof === claim.proof && !isMissing),
  );
  if (current !== undefined) {
    const isFound = Object.values(findings).includes('found');
    return {
      ...claim,
      proof: current,
      provedSince: isMissing ? now : (claim.provedSince ?? now),
      provedAt: isFound ? now : claim.provedAt,
      missingSince: undefined,
      routedUntil: undefined,
    };
  }
  if (claim.proof === undefined) return claim;
  // It was proved while there was one account, and must not go down because somebody signs up.
  if (claim.proof === 'a' && context.hasSeveralAccounts && !isMissing) {
    return { ...unproved(claim), routedUntil: now + GRACE_MS };
  }
  const missing = { ...claim, missingSince: claim.missingSince ?? now };
  const isAnswered = !Object.values(findings).includes('unanswered');
  return isAnswered && now >= lapseOf(missing) ? { ...unproved(claim), claimedAt: now } : missing;
}

function unproved(claim: Claim): Claim {
  return {
    ...claim,
    proof: undefined,
    provedSince: undefined,
    provedAt: undefined,
    missingSince: undefined,
  };
}

function findingsOf(
  { appId, token }: Claim,
  { txt, cname, addresses }: DnsAnswers,
  { isReserved, hasSeveralAccounts, baseDomain, publicIp }: DomainContext,
): Record<DomainProof, Finding> {
  if (isReserved) return { txt: 'missing', cname: 'missing', a: 'missing' };
  const isOwnHost = (host: string) => isGeneratedHostOf(appId, host, baseDomain);
  return {
    txt: finding(token !== undefined && txt?.includes(token) === true, txt !== undefined),
    cname: finding(cname.targets.some(isOwnHost), cname.isComplete),
    a: hasSeveralAccounts
      ? 'missing'
      : finding(includesAddress(addresses ?? [], publicIp), addresses !== undefined),
  };
}

function finding(isFound: boolean, isAnswered: boolean): Finding {
  if (isFound) return 'found';
  return isAnswered ? 'missing' : 'unanswered';
}

export function includesAddress(addresses: string[], publicIp: string): boolean {
  return addresses.some((address) => canonicalAddress(address) === canonicalAddress(publicIp));
}

/** An IPv6 address can be written in several ways. */
function canonicalAddress(address: string): string {
  return address.includes(':') ? new SocketAddress({ address, family: 'ipv6' }).address : address;
}

/** When a claim whose proof is missing loses it: 7 days without a proof, but not by the answers of one day alone. */
export function lapseOf({ provedAt = 0, missingSince = 0 }: Claim): number {
  return Math.max(provedAt + LAPSE_MS, missingSince + DAY_MS);
}

/** When an unproved claim is no longer checked automatically. */
export function expiryOf({ claimedAt }: Claim): number {
  return claimedAt + CLAIM_MS;
}

/** What DNS says now beats what it said before, and a TXT record beats everything else. 0: not routed. */
function rankOf({ proof, missingSince, routedUntil = 0 }: Claim, now: number): number {
  if (proof === undefined) return routedUntil > now ? 1 : 0;
  if (missingSince !== undefined) return 2;
  return 3 + DOMAIN_PROOFS.length - DOMAIN_PROOFS.indexOf(proof);
}

function holderOf(claims: Claim[], now: number): Claim | undefined {
  const [best] = claims.toSorted(
    (one, other) =>
      rankOf(other, now) - rankOf(one, now) ||
      Number(other.isRouted) - Number(one.isRouted) ||
      (one.provedSince ?? now) - (other.provedSince ?? now) ||
      one.claimedAt - other.claimedAt ||
      (one.appId < other.appId ? -1 : 1),
  );
  return best !== undefined && rankOf(best, now) > 0 ? best : undefined;
}

/** A domain that another account proves is not routed to the former app again. */
function isProvedByOther(claim: Claim, holder: Claim | undefined): boolean {
  return holder?.proof !== undefined && holder.ownerId !== claim.ownerId;
}

/**
 * When the domain is checked next: often while a new record is awaited, daily while proved. Undefined: only on demand.
 * `random`: from 0 to 1, so that domains that were added together are not always checked together.
 */
export function nextCheckAt(
  claims: Claim[],
  { now, isAnswered, random }: { now: number; isAnswered: boolean; random: number },
): number | undefined {
  const waits = claims.flatMap((claim) => {
    const wait = waitOf(claim, now, isAnswered);
    return wait === undefined ? [] : [wait * (1 - random / 10)];
  });
  const graceEnds = claims.flatMap(({ routedUntil = 0 }) => (routedUntil > now ? routedUntil : []));
  const times = [...waits.map((wait) => now + wait), ...graceEnds];
  return times.length === 0 ? undefined : Math.round(Math.min(...times));
}

function waitOf(claim: Claim, now: number, isAnswered: boolean): number | undefined {
  const { proof, missingSince, routedUntil = 0, claimedAt } = claim;
  if (proof !== undefined) return isAnswered && missingSince === undefined ? DAY_MS : HOUR_MS;
  if (now >= expiryOf(claim) && routedUntil <= now) return undefined;
  return Math.min(Math.max((now - claimedAt) / 4, MINUTE_MS), 6 * HOUR_MS);
}
