import { type AppDomains, type DomainStatus, proofNameOf } from '@longshore/contract';
import { MESSAGES } from '../messages.ts';

type Tone = 'good' | 'bad' | 'warning' | 'idle';

export type DnsRecord = {
  type: string;
  name: string;
  value: string;
  /** What DNS answered at the last check. */
  found: { text: string; tone: Tone };
};

export type DomainView = {
  domain: string;
  chip: { text: string; tone: Tone; isBusy: boolean };
  text: string;
  /** Records that the owner has to create, or could. */
  records: DnsRecord[];
  isServed: boolean;
};

type Installation = Pick<AppDomains, 'token' | 'generatedHost' | 'isAddressEnough'> & {
  publicIp: string;
};

/** What the page shows about a custom domain. */
export function domainView(status: DomainStatus, installation: Installation): DomainView {
  const { domain, state, checkedAt } = status;
  const isServed = state === 'proved' || state === 'lapsing' || state === 'temporary';
  const isElsewhere = state === 'proved' && status.pointsHere === false;
  const isChecking = state === 'unproved' && checkedAt === undefined;
  const chip = isChecking ? 'checking' : isElsewhere ? 'elsewhere' : state;
  return {
    domain,
    chip: { text: MESSAGES.chips[chip], tone: toneOf(status, isElsewhere), isBusy: isChecking },
    text: textOf(status, installation, isElsewhere),
    records: recordsOf(status, installation, isElsewhere),
    isServed,
  };
}

/** Whether the owner has to do something about a domain. */
export function needsAttention({ state, pointsHere, certificate }: DomainStatus): boolean {
  return state !== 'proved' || pointsHere === false || certificate?.failure !== undefined;
}

/** The domains that need attention first, otherwise in the order of the settings. */
export function byAttention(domains: DomainStatus[]): DomainStatus[] {
  return [...domains.filter(needsAttention), ...domains.filter((each) => !needsAttention(each))];
}

function toneOf({ state }: DomainStatus, isElsewhere: boolean): Tone {
  switch (state) {
    case 'proved':
      return isElsewhere ? 'warning' : 'good';
    case 'lapsing':
    case 'temporary':
      return 'warning';
    case 'taken':
    case 'duplicate':
    case 'reserved':
      return 'bad';
    case 'unproved':
    case 'expired':
      return 'idle';
  }
}

function textOf(status: DomainStatus, installation: Installation, isElsewhere: boolean): string {
  const { states, create: texts } = MESSAGES;
  const create = installation.isAddressEnough ? texts.one : texts.several;
  const date = dateOf(status.until);
  switch (status.state) {
    case 'proved': {
      const verified = states.proved[status.proof ?? 'txt'];
      return isElsewhere ? `${verified} ${states.elsewhere}` : verified;
    }
    case 'lapsing':
      return states.lapsing(date);
    case 'temporary':
      return states.temporary(date, create);
    case 'unproved':
      return states.unproved(date, create);
    case 'expired':
      return states.expired(create);
    case 'taken':
      return states.taken;
    case 'duplicate':
      return states.duplicate(status.app ?? '');
    case 'reserved':
      return states.reserved;
  }
}

function dateOf(until: string | undefined): string {
  if (until === undefined) return '';
  return new Date(until).toLocaleDateString('en-US', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  });
}

function recordsOf(
  status: DomainStatus,
  { token, generatedHost, isAddressEnough, publicIp }: Installation,
  isElsewhere: boolean,
): DnsRecord[] {
  const { domain, state, answers } = status;
  if (state === 'reserved' || state === 'duplicate') return [];
  if (state === 'proved' && !isElsewhere) return [];
  const record = (type: string, name: string, value: string, found: string[] | undefined) => ({
    type,
    name,
    value,
    found: foundOf(status, found, value),
  });
  const target = [
    record('CNAME', domain, generatedHost, answers.cname),
    record(publicIp.includes(':') ? 'AAAA' : 'A', domain, publicIp, answers.addresses),
  ];
  const proof = record('TXT', proofNameOf(domain), token, answers.txt);
  if (state === 'taken') return [proof, ...target];
  return isElsewhere || isAddressEnough ? target : [...target, proof];
}

function foundOf(
  { checkedAt }: DomainStatus,
  found: string[] | undefined,
  value: string,
): DnsRecord['found'] {
  const texts = MESSAGES.records;
  if (checkedAt === undefined) return { text: texts.unknown, tone: 'idle' };
  if (found === undefined) return { text: texts.unanswered, tone: 'warning' };
  if (found.length === 0) return { text: texts.missing, tone: 'idle' };
  return { text: found.join(', '), tone: found.includes(value) ? 'good' : 'bad' };
}
