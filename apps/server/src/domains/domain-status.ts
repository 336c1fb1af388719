import type { DomainAnswers, DomainStatus } from '@longshore/contract';
import { isPrivateAddress } from '../outbound/private-address.ts';
import {
  type Claim,
  type DnsAnswers,
  type DomainContext,
  expiryOf,
  includesAddress,
  lapseOf,
} from './domain-rules.ts';

export type DomainCheck = { checkedAt: number | undefined; answers: StoredAnswers };

/** The answers of the last check, as they are shown. */
export type StoredAnswers = DomainAnswers & { pointsHere?: boolean | undefined };

const MAX_SHOWN_RECORDS = 10;
const MAX_SHOWN_LENGTH = 255;

/** What the owner of a claim sees. About other accounts it reveals only that one of them proved the domain. */
export function domainStatus(
  domain: string,
  { own, claims, check }: { own: Claim; claims: Claim[]; check: DomainCheck },
  { now, isReserved }: Pick<DomainContext, 'now' | 'isReserved'>,
): Omit<DomainStatus, 'app' | 'certificate'> & { holderId: string | undefined } {
  const holder = claims.find(({ isRouted }) => isRouted);
  const { pointsHere, ...answers } = check.answers;
  const { state, until } = stateOf(own, { holder, now, isReserved });
  return {
    domain,
    state,
    proof: state === 'proved' ? own.proof : undefined,
    until: until === undefined ? undefined : new Date(until).toISOString(),
    holderId: state === 'duplicate' ? holder?.appId : undefined,
    checkedAt: check.checkedAt === undefined ? undefined : new Date(check.checkedAt).toISOString(),
    answers,
    pointsHere,
  };
}

function stateOf(
  own: Claim,
  { holder, now, isReserved }: { holder: Claim | undefined; now: number; isReserved: boolean },
): { state: DomainStatus['state']; until?: number | undefined } {
  if (own.isRouted) {
    if (own.proof === undefined) return { state: 'temporary', until: own.routedUntil };
    return own.missingSince === undefined
      ? { state: 'proved' }
      : { state: 'lapsing', until: lapseOf(own) };
  }
  if (isReserved) return { state: 'reserved' };
  if (holder?.ownerId === own.ownerId) return { state: 'duplicate' };
  if (holder?.proof !== undefined) return { state: 'taken' };
  return now < expiryOf(own) ? { state: 'unproved', until: expiryOf(own) } : { state: 'expired' };
}

/**
 * The part of the answers that is stored and shown. A name server of the operator may know names of a private network:
 * their addresses are not shown.
 */
export function shownAnswers(
  { txt, cname, addresses }: DnsAnswers,
  { publicIp, baseDomain }: Pick<DomainContext, 'publicIp' | 'baseDomain'>,
): StoredAnswers {
  const isShown = (address: string) =>
    includesAddress([address], publicIp) || !isPrivateAddress(address);
  const isOwnHost = (host: string) => host.endsWith(`.${baseDomain}`);
  const isAlias = cname.targets.some(isOwnHost);
  return {
    txt: txt && shortened(txt),
    cname: cname.targets.length > 0 || cname.isComplete ? shortened(cname.targets) : undefined,
    addresses:
      addresses &&
      shortened([...new Set(addresses.map((each) => (isShown(each) ? each : 'private address')))]),
    pointsHere: isAlias || (addresses && includesAddress(addresses, publicIp)),
  };
}

/** DNS allows any bytes, but Postgres cannot store null characters. */
function shortened(records: string[]): string[] {
  return records
    .slice(0, MAX_SHOWN_RECORDS)
    .map((record) => record.slice(0, MAX_SHOWN_LENGTH).replaceAll(/\p{Cc}/gu, '\u{FFFD}'));
}
