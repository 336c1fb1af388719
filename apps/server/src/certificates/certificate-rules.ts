import type { CertificateFailure } from '@longshore/contract';

/** A name that needs a certificate. */
export type WantedCertificate = {
  domain: string;
  kind: 'console' | 'custom' | 'generated';
  /** The owner of the app. Undefined for the console. */
  ownerId: string | undefined;
  /** Why no order is made: DNS does not prove the domain now, or the owner has too many domains. */
  refusal: 'unproved' | 'too-many' | undefined;
  /** Whether the app is awake. Awake apps get their certificates first. */
  isAwake: boolean;
};

/** What is known about the certificate of a domain. Times are in milliseconds since the epoch. */
export type CertificateRecord = {
  domain: string;
  validity: { from: number; until: number; renewAt: number } | undefined;
  /** An order that was begun. `url`: where it is, once the authority has accepted it. */
  order: { url: string | undefined; startedAt: number } | undefined;
  /** Failures since the last success. */
  attempts: number;
  nextTryAt: number | undefined;
  failure: CertificateFailure | undefined;
  /** When a request for the domain was last seen to arrive at this server. */
  arrivedAt: number | undefined;
};

export type Step =
  | { kind: 'wait'; until: number | undefined }
  /** Nothing has changed for long: not before then, unless the owner asks for it. */
  | { kind: 'give-up'; until: number }
  /** The limits allow no order before then. */
  | { kind: 'limited'; limit: CertificateLimit; until: number }
  | { kind: 'check-arrival' }
  | { kind: 'continue' }
  | { kind: 'order' }
  | { kind: 'renew' };

export type CertificateLimit = 'owner' | 'generated' | 'new' | 'all';

/** An order of the past. */
export type CountedOrder = {
  ownerId: string | undefined;
  isGenerated: boolean;
  isRenewal: boolean;
  at: number;
};

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** An arrival is as good as new for the order that follows it. */
const ARRIVAL_MS = 5 * MINUTE_MS;
/** Authorities forget an order after some days. */
const MAX_ORDER_AGE_MS = DAY_MS;
const GIVE_UP_AFTER = 12;
const GIVE_UP_MS = 7 * DAY_MS;
/** Of the life of a certificate. */
const RENEWAL = { after: 2 / 3, jitter: 1 / 30, notBefore: 1 / 4 };

/**
 * The limits of an installation, below those of Let's Encrypt: 50 certificates per registered domain and week, 300 orders per
 * account in 3 hours. Renewals do not count as new certificates there. New certificates of apps leave a part of all orders to
 * renewals and to the console, so that accounts with many domains cannot make certificates of others expire.
 */
const LIMITS: Record<CertificateLimit, { orders: number; windowMs: number }> = {
  owner: { orders: 20, windowMs: DAY_MS },
  generated: { orders: 40, windowMs: 7 * DAY_MS },
  new: { orders: 150, windowMs: 3 * HOUR_MS },
  all: { orders: 250, windowMs: 3 * HOUR_MS },
};

/** Orders older than this count for no limit. */
export const LONGEST_WINDOW_MS = Math.max(...Object.values(LIMITS).map((each) => each.windowMs));

/** Beyond this number, further domains of an owner get no certificate. */
export const MAX_DOMAINS_PER_OWNER = 100;

/** What to do next for a domain. */
export function nextStep(
  wanted: WantedCertificate,
  record: CertificateRecord,
  { now, orders }: { now: number; orders: readonly CountedOrder[] },
): Step {
  if (wanted.refusal !== undefined) return { kind: 'wait', until: undefined };
  const { validity, nextTryAt, attempts, arrivedAt } = record;
  const isRenewal = isValid(record, now);
  if (isRenewal && validity !== undefined && now < validity.renewAt) {
    return { kind: 'wait', until: validity.renewAt };
  }
  if (nextTryAt !== undefined && now < nextTryAt) {
    const isHopeless = attempts >= GIVE_UP_AFTER && !isRenewal;
    return { kind: isHopeless ? 'give-up' : 'wait', until: nextTryAt };
  }
  if (openOrder(record, now) !== undefined) return { kind: 'continue' };
  const limited = limitOf({ ...wanted, isRenewal }, { now, orders });
  if (limited !== undefined) return { kind: 'limited', ...limited };
  if (arrivedAt === undefined || now - arrivedAt > ARRIVAL_MS) return { kind: 'check-arrival' };
  return { kind: isRenewal ? 'renew' : 'order' };
}

/** An order that can be continued. */
export function openOrder(
  { order }: CertificateRecord,
  now: number,
): CertificateRecord['order'] | undefined {
  return order !== undefined && now - order.startedAt < MAX_ORDER_AGE_MS ? order : undefined;
}

export function isValid({ validity }: CertificateRecord, now: number): boolean {
  return validity !== undefined && now < validity.until;
}

/** The limit that allows no order now, and when it does again. */
export function limitOf(
  order: { ownerId: string | undefined; kind: WantedCertificate['kind']; isRenewal: boolean },
  { now, orders }: { now: number; orders: readonly CountedOrder[] },
): { limit: CertificateLimit; until: number } | undefined {
  const isNew = !order.isRenewal && order.kind !== 'console';
  const added = orders.filter(({ isRenewal }) => !isRenewal);
  const own = added.filter(({ ownerId }) => ownerId === order.ownerId);
  const generated = ({ isGenerated }: CountedOrder) => isGenerated;
  const counted: [CertificateLimit, readonly CountedOrder[]][] = [
    ['owner', isNew ? own : []],
    // Own ones count twice: no account gets more than half of what the others leave.
    ['generated', isNew && order.kind === 'generated' ? [...added, ...own].filter(generated) : []],
    ['new', isNew ? added : []],
    ['all', orders],
  ];
  for (const [limit, relevant] of counted) {
    const { orders: max, windowMs } = LIMITS[limit];
    const times = relevant.map(({ at }) => at).filter((at) => now - at < windowMs);
    const freed = times.toSorted((one, other) => other - one)[max - 1];
    if (freed !== undefined) return { limit, until: freed + windowMs };
  }
  return undefined;
}

/** The console and domains of users first, then renewals, then awake apps. */
export function byPriority(
  one: { wanted: WantedCertificate; step: Step },
  other: { wanted: WantedCertificate; step: Step },
): number {
  return rank(one) - rank(other);
}

function rank({ wanted, step }: { wanted: WantedCertificate; step: Step }): number {
  if (wanted.kind === 'console') return 0;
  if (wanted.kind === 'custom') return 1;
  if (step.kind === 'renew' || step.kind === 'continue') return 2;
  return wanted.isAwake ? 3 : 4;
}

/** How long to wait for what. A failed arrival costs nobody anything, so it is repeated sooner. */
const BACK_OFF = {
  arrival: { firstMs: MINUTE_MS, maxMs: 6 * HOUR_MS },
  authority: { firstMs: 10 * MINUTE_MS, maxMs: DAY_MS },
};

const ARRIVAL_FAILURES: ReadonlySet<CertificateFailure['code']> = new Set([
  'no-address',
  'no-dns-answer',
  'private-address',
  'elsewhere',
  'unreachable',
]);

/**
 * `random`: from 0 to 1. `retryAfterMs`: what the authority demands. A rate limit with a time is no failure of the name: it may
 * be the limit of the account, which other names used up. So the name waits as long as the authority demands, and up to a minute
 * more: names that wait for the same limit are not all tried at the same moment.
 */
export function afterFailure(
  record: CertificateRecord,
  failure: CertificateFailure,
  { now, random, retryAfterMs = 0 }: { now: number; random: number; retryAfterMs?: number },
): Pick<CertificateRecord, 'attempts' | 'nextTryAt' | 'failure'> {
  if (failure.code === 'rate-limited' && retryAfterMs > 0) {
    const jitterMs = Math.round(random * MINUTE_MS);
    const nextTryAt = now + Math.max(retryAfterMs, MINUTE_MS) + jitterMs;
    return { attempts: record.attempts, failure, nextTryAt };
  }
  const attempts = record.attempts + 1;
  const { firstMs, maxMs } = BACK_OFF[ARRIVAL_FAILURES.has(failure.code) ? 'arrival' : 'authority'];
  const exponential = Math.min(maxMs, firstMs * 2 ** Math.min(attempts - 1, 30));
  const backOffMs = attempts >= GIVE_UP_AFTER && !isValid(record, now) ? GIVE_UP_MS : exponential;
  // The jitter only adds: the authority must not be asked before it allows it.
  const waitMs = Math.max(retryAfterMs, backOffMs) * (1 + random / 4);
  return { attempts, failure, nextTryAt: now + Math.round(waitMs) };
}

/**
 * Certificates that were issued together are not renewed together. A new one is used for a part of its life in any case, so that a
 * wrong clock does not lead to one order after the other.
 */
export function renewalTime(
  { from, until }: { from: number; until: number },
  { now, random }: { now: number; random: number },
): number {
  const life = until - from;
  const planned = from + life * (RENEWAL.after - RENEWAL.jitter * random);
  return Math.round(Math.max(planned, now + life * RENEWAL.notBefore));
}
