import { describe, expect, it } from 'vitest';
import {
  afterFailure,
  byPriority,
  type CertificateRecord,
  type CountedOrder,
  limitOf,
  nextStep,
  renewalTime,
  type Step,
  type WantedCertificate,
} from './certificate-rules.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOW = 1_000 * DAY;

const custom: WantedCertificate = {
  domain: 'shop.example.com',
  kind: 'custom',
  ownerId: 'ada',
  refusal: undefined,
  isAwake: true,
};
const generated: WantedCertificate = { ...custom, kind: 'generated' };

function record(change: Partial<CertificateRecord> = {}): CertificateRecord {
  return {
    domain: custom.domain,
    validity: undefined,
    order: undefined,
    attempts: 0,
    nextTryAt: undefined,
    failure: undefined,
    arrivedAt: undefined,
    ...change,
  };
}

const fresh = { from: NOW - 10 * DAY, until: NOW + 80 * DAY, renewAt: NOW + 50 * DAY };
const ageing = { from: NOW - 61 * DAY, until: NOW + 29 * DAY, renewAt: NOW - DAY };
const expired = { from: NOW - 91 * DAY, until: NOW - DAY, renewAt: NOW - 31 * DAY };
const arrivedAt = NOW - MINUTE;
const later = NOW + HOUR;

const counted = (count: number, change: Partial<CountedOrder> = {}): CountedOrder[] =>
  Array.from({ length: count }, (_, index) => ({
    ownerId: 'ada',
    isGenerated: false,
    isRenewal: false,
    at: NOW - HOUR - index * MINUTE,
    ...change,
  }));

describe('nextStep', () => {
  const begun = { url: 'https://ca.example/order/1', startedAt: NOW - HOUR };
  it.each<[string, Partial<CertificateRecord>, Step]>([
    ['of a new name', {}, { kind: 'check-arrival' }],
    ['of a name that arrived', { arrivedAt }, { kind: 'order' }],
    ['of a name that arrived long ago', { arrivedAt: NOW - HOUR }, { kind: 'check-arrival' }],
    ['with a fresh certificate', { validity: fresh }, { kind: 'wait', until: fresh.renewAt }],
    ['at the time of renewal', { validity: ageing }, { kind: 'check-arrival' }],
    ['at the time of renewal, arrived', { validity: ageing, arrivedAt }, { kind: 'renew' }],
    ['with an expired certificate', { validity: expired, arrivedAt }, { kind: 'order' }],
    ['after a failure', { attempts: 1, nextTryAt: later }, { kind: 'wait', until: later }],
    ['when the next try is due', { attempts: 1, nextTryAt: NOW, arrivedAt }, { kind: 'order' }],
    ['after many failures', { attempts: 12, nextTryAt: later }, { kind: 'give-up', until: later }],
    [
      'after many failures to renew',
      { attempts: 12, nextTryAt: later, validity: ageing },
      { kind: 'wait', until: later },
    ],
    ['with an order that was begun', { order: begun }, { kind: 'continue' }],
    [
      'with an order that the authority has not confirmed',
      { order: { ...begun, url: undefined } },
      { kind: 'continue' },
    ],
    [
      'with an order that failed',
      { order: begun, nextTryAt: later },
      { kind: 'wait', until: later },
    ],
    [
      'with an order of the day before yesterday',
      { order: { ...begun, startedAt: NOW - 2 * DAY } },
      { kind: 'check-arrival' },
    ],
  ])('%s', (_, change, step) => {
    expect(nextStep(custom, record(change), { now: NOW, orders: [] })).toEqual(step);
  });

  it.each(['unproved', 'too-many'] as const)('never orders when it is %s', (refusal) => {
    const records = [{}, { arrivedAt }, { order: begun }, { validity: ageing, arrivedAt }];
    for (const change of records) {
      const step = nextStep({ ...custom, refusal }, record(change), { now: NOW, orders: [] });
      expect(step).toEqual({ kind: 'wait', until: undefined });
    }
  });

  it('continues an order although the limits allow no new one', () => {
    const orders = counted(20);
    const limited = nextStep(custom, record({ arrivedAt }), { now: NOW, orders });
    expect(limited).toMatchObject({ kind: 'limited', limit: 'owner' });
    expect(nextStep(custom, record({ order: begun }), { now: NOW, orders }).kind).toBe('continue');
  });
});

describe('limitOf', () => {
  const other = { ownerId: 'eve' };
  const yesterday = { at: NOW - 25 * HOUR };
  const [first, renewal] = [
    { ...custom, isRenewal: false },
    { ...custom, isRenewal: true },
  ];
  const app = { ...generated, isRenewal: false };
  const console = { ...first, kind: 'console' as const, ownerId: undefined };
  const generatedName = { isGenerated: true };
  const generatedBefore = { isGenerated: true, at: NOW - 2 * DAY };
  it.each<[string, Parameters<typeof limitOf>[0], CountedOrder[], string | undefined]>([
    ['19 orders of the owner', first, counted(19), undefined],
    ['20 orders of the owner', first, counted(20), 'owner'],
    ['20 orders of the day before', first, counted(20, yesterday), undefined],
    ['20 orders of others', first, counted(20, other), undefined],
    ['20 renewals', first, counted(20, { isRenewal: true }), undefined],
    ['20 orders, for a renewal', renewal, counted(20), undefined],
    ['39 generated names', app, counted(39, { ...other, isGenerated: true }), undefined],
    ['19 generated names of the owner', app, counted(19, generatedName), undefined],
    ['20 generated names of the owner in days', app, counted(20, generatedBefore), 'generated'],
    [
      '20 generated names of others and 10 of the owner',
      app,
      [...counted(20, { ...other, isGenerated: true }), ...counted(10, generatedName)],
      'generated',
    ],
    ['40 generated names', app, counted(40, { ...other, isGenerated: true }), 'generated'],
    [
      '40 generated names, for a domain',
      first,
      counted(40, { ...other, isGenerated: true }),
      undefined,
    ],
    [
      '40 generated names of last week',
      app,
      counted(40, { isGenerated: true, at: NOW - 8 * DAY }),
      undefined,
    ],
    ['150 orders of others in 3 hours', first, counted(150, { ...other, at: NOW - HOUR }), 'new'],
    ['150 orders, for a renewal', renewal, counted(150, { at: NOW - HOUR }), undefined],
    ['150 orders, for the console', console, counted(150, { at: NOW - HOUR }), undefined],
    ['150 renewals', first, counted(150, { isRenewal: true, at: NOW - HOUR }), undefined],
    ['250 orders in 3 hours', renewal, counted(250, { ...other, at: NOW - HOUR }), 'all'],
    ['250 orders before', renewal, counted(250, { ...other, at: NOW - 4 * HOUR }), undefined],
  ])('after %s', (_, order, orders, limit) => {
    expect(limitOf(order, { now: NOW, orders })?.limit).toBe(limit);
  });

  it('ends when the oldest order that counts is over', () => {
    const orders = counted(25);
    const until = NOW - HOUR - 19 * MINUTE + DAY;
    expect(limitOf(first, { now: NOW, orders })).toEqual({ limit: 'owner', until });
    expect(limitOf(first, { now: until, orders })).toBeUndefined();
  });
});

describe('afterFailure', () => {
  const authority = { code: 'refused', detail: 'no' } as const;
  const arrival = { code: 'elsewhere', detail: '192.0.2.7' } as const;
  const waits = (
    failure: typeof authority | typeof arrival,
    change: Partial<CertificateRecord> = {},
    options: { random?: number; retryAfterMs?: number } = {},
  ) => {
    const failed = afterFailure(record(change), failure, { now: NOW, random: 0, ...options });
    expect(failed).toMatchObject({ failure, attempts: (change.attempts ?? 0) + 1 });
    return (failed.nextTryAt ?? 0) - NOW;
  };

  it.each([
    [0, 10 * MINUTE, MINUTE],
    [1, 20 * MINUTE, 2 * MINUTE],
    [5, 320 * MINUTE, 32 * MINUTE],
    [9, DAY, 6 * HOUR],
    [11, 7 * DAY, 7 * DAY],
    [5_000, 7 * DAY, 7 * DAY],
  ])('waits longer each time, after %d failures', (attempts, atAuthority, atArrival) => {
    expect(waits(authority, { attempts })).toBe(atAuthority);
    expect(waits(arrival, { attempts })).toBe(atArrival);
  });

  it('tries daily to renew a certificate that is still valid', () => {
    expect(waits(authority, { attempts: 30, validity: ageing })).toBe(DAY);
  });

  it('waits at least as long as the authority demands, and adds jitter only', () => {
    expect(waits(authority, {}, { retryAfterMs: 5 * HOUR })).toBe(5 * HOUR);
    expect(waits(authority, {}, { retryAfterMs: 5 * HOUR, random: 1 })).toBe(6.25 * HOUR);
    expect(waits(authority, {}, { retryAfterMs: 1_000 })).toBe(10 * MINUTE);
  });

  it('waits no longer for a rate limit than the authority demands, and counts no failure', () => {
    const failure = { code: 'rate-limited', detail: 'too many new orders' } as const;
    const failed = (retryAfterMs: number) =>
      afterFailure(record({ attempts: 11 }), failure, { now: NOW, random: 1, retryAfterMs });
    const nextTryAt = NOW + 5 * MINUTE + MINUTE;
    expect(failed(5 * MINUTE)).toEqual({ attempts: 11, failure, nextTryAt });
    expect(failed(1)).toEqual({ attempts: 11, failure, nextTryAt: NOW + 2 * MINUTE });
    // Without a time it is a failure like others.
    expect(failed(0)).toMatchObject({ attempts: 12 });
  });
});

describe('renewalTime', () => {
  const validity = { from: NOW, until: NOW + 90 * DAY };
  it.each([
    ['at two thirds of the life', validity, 0, NOW + 60 * DAY],
    ['earlier, by the jitter', validity, 1, NOW + 57 * DAY],
    ['of a short life', { from: NOW, until: NOW + 6 * DAY }, 0, NOW + 4 * DAY],
    [
      'not at once although the clock is ahead',
      { from: NOW - 80 * DAY, until: NOW + 10 * DAY },
      0,
      NOW + 22.5 * DAY,
    ],
  ])('is %s', (_, life, random, time) => {
    expect(renewalTime(life, { now: NOW, random })).toBe(time);
  });
});

it('serves the console, then domains, renewals, awake apps and hibernated ones', () => {
  const order: Step = { kind: 'order' };
  const inOrder = [
    { wanted: { ...custom, kind: 'console' as const, ownerId: undefined }, step: order },
    { wanted: custom, step: order },
    { wanted: { ...generated, isAwake: false }, step: { kind: 'renew' } as Step },
    { wanted: generated, step: order },
    { wanted: { ...generated, isAwake: false }, step: order },
  ];
  expect(inOrder.toReversed().toSorted(byPriority)).toEqual(inOrder);
});
