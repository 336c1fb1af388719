import { autoDomain } from '@longshore/contract';
import { describe, expect, it } from 'vitest';
import {
  type Claim,
  type DnsAnswers,
  type DomainContext,
  nextCheckAt,
  settleClaims,
} from './domain-rules.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOW = 1_000 * DAY;

const BASE = 'apps.example.net';
const IP = '192.0.2.10';
const ADA = { appId: 'a1', ownerId: 'ada', token: 'token-ada' };
const EVE = { appId: 'e1', ownerId: 'eve', token: 'token-eve' };

const context: DomainContext = {
  now: NOW,
  hasSeveralAccounts: true,
  isReserved: false,
  baseDomain: BASE,
  publicIp: IP,
};
const alone = { ...context, hasSeveralAccounts: false };

function claim(change: Partial<Claim> = {}): Claim {
  return {
    ...ADA,
    claimedAt: NOW - DAY,
    proof: undefined,
    provedSince: undefined,
    provedAt: undefined,
    missingSince: undefined,
    routedUntil: undefined,
    isRouted: false,
    ...change,
  };
}

function proved(proof: Claim['proof'], change: Partial<Claim> = {}): Claim {
  const times = { provedSince: NOW - 9 * DAY, provedAt: NOW - DAY };
  return claim({ proof, ...times, isRouted: true, ...change });
}

function missing(proof: Claim['proof'], days: number, change: Partial<Claim> = {}): Claim {
  return proved(proof, {
    provedAt: NOW - days * DAY,
    missingSince: NOW - (days - 1) * DAY,
    ...change,
  });
}

const hostOf = ({ appId }: { appId: string }, name = 'shop') =>
  autoDomain({ id: appId, name }, BASE);
const alias = (...targets: string[]) => ({ targets, isComplete: true });

const NO_RECORDS: DnsAnswers = { txt: [], cname: alias(), addresses: [] };
const NO_ANSWER: DnsAnswers = {
  txt: undefined,
  cname: { targets: [], isComplete: false },
  addresses: undefined,
};
const answers = (change: Partial<DnsAnswers>): DnsAnswers => ({ ...NO_RECORDS, ...change });
const txt = (...owners: { token: string }[]) => ({ txt: owners.map(({ token }) => token) });

describe('an unproved claim', () => {
  it.each<[string, Partial<DnsAnswers>, DomainContext, Claim['proof']]>([
    ['by the TXT record of the account', txt(ADA), context, 'txt'],
    ['by one of several TXT records', txt(EVE, ADA), context, 'txt'],
    ['not by the token of another account', txt(EVE), context, undefined],
    ['not by a part of the token', { txt: ['token-ad'] }, context, undefined],
    ['not by the token in another case', { txt: ['TOKEN-ADA'] }, context, undefined],
    ['by a CNAME to the generated host', { cname: alias(hostOf(ADA)) }, context, 'cname'],
    ['by a chain to it', { cname: alias('x.example', hostOf(ADA)) }, context, 'cname'],
    ['by a CNAME of a former name', { cname: alias(hostOf(ADA, 'old')) }, context, 'cname'],
    ['not by a CNAME to another app', { cname: alias(hostOf(EVE)) }, context, undefined],
    ['not by a CNAME to the base domain', { cname: alias(BASE) }, context, undefined],
    [
      'not by a CNAME to a made-up host',
      { cname: alias(`shop-0123456789ab.${BASE}`) },
      context,
      undefined,
    ],
    [
      'not by a CNAME to a host of the same name elsewhere',
      { cname: alias(`${hostOf(ADA)}.example`) },
      context,
      undefined,
    ],
    ['by an A record while there is one account', { addresses: [IP] }, alone, 'a'],
    ['not by an A record with several accounts', { addresses: [IP] }, context, undefined],
    ['not by another address', { addresses: ['192.0.2.1'] }, alone, undefined],
    ['by the strongest', { ...txt(ADA), cname: alias(hostOf(ADA)) }, context, 'txt'],
    [
      'not at all when the domain is reserved',
      txt(ADA),
      { ...context, isReserved: true },
      undefined,
    ],
  ])('is proved %s', (_, change, within, proof) => {
    const [settled] = settleClaims([claim()], answers(change), within);
    expect(settled).toMatchObject({ proof, isRouted: proof !== undefined });
    if (proof !== undefined) expect(settled).toMatchObject({ provedSince: NOW, provedAt: NOW });
  });

  it('matches IPv6 addresses in any form', () => {
    const within = { ...alone, publicIp: '2001:0DB8:0:0::1' };
    const [settled] = settleClaims([claim()], answers({ addresses: ['2001:db8::1'] }), within);
    expect(settled?.proof).toBe('a');
  });

  it('is not proved for an account without a token by an empty record', () => {
    const [settled] = settleClaims([claim({ token: undefined })], answers({ txt: [''] }), context);
    expect(settled?.proof).toBeUndefined();
  });
});

describe('a proved claim', () => {
  it.each<[string, DnsAnswers]>([
    ['no name server answers', NO_ANSWER],
    ['only its own query is not answered', { ...NO_RECORDS, txt: undefined }],
  ])('stays as it is when %s', (_, given) => {
    const before = proved('txt', { provedAt: NOW - 30 * DAY });
    expect(settleClaims([before], given, context)).toEqual([before]);
  });

  it('is found again', () => {
    const [settled] = settleClaims([proved('txt')], answers(txt(ADA)), context);
    expect(settled).toEqual(proved('txt', { provedAt: NOW }));
  });

  it.each<[string, number, boolean]>([
    ['the first time', 1, true],
    ['after almost 7 days', 6.9, true],
    ['after 7 days', 7, false],
    ['after 30 days', 30, false],
  ])('whose record is missing %s', (_, days, isRouted) => {
    const before = days === 1 ? proved('cname') : missing('cname', days);
    const [settled] = settleClaims([before], NO_RECORDS, context);
    expect(settled?.isRouted).toBe(isRouted);
    if (isRouted) expect(settled?.missingSince).toBe(days === 1 ? NOW : before.missingSince);
    else expect(settled).toEqual(claim({ claimedAt: NOW }));
  });

  it('does not lapse by the answers of one day, however long the server was stopped', () => {
    const [first] = settleClaims(
      [proved('txt', { provedAt: NOW - 60 * DAY })],
      NO_RECORDS,
      context,
    );
    expect(first).toMatchObject({ isRouted: true, missingSince: NOW });
    const later = { ...context, now: NOW + DAY };
    const [second] = settleClaims(first ? [first] : [], NO_RECORDS, later);
    expect(second?.isRouted).toBe(false);
  });

  it('does not lapse while a query is not answered', () => {
    const given = { ...NO_RECORDS, cname: { targets: [], isComplete: false } };
    const [settled] = settleClaims([missing('txt', 20)], given, context);
    expect(settled).toMatchObject({ proof: 'txt', isRouted: true });
  });

  it('is proved again when the record is back', () => {
    const [settled] = settleClaims([missing('txt', 3)], answers(txt(ADA)), context);
    expect(settled).toMatchObject({ proof: 'txt', provedSince: NOW, missingSince: undefined });
  });

  it('keeps an unanswered TXT proof when the CNAME is found', () => {
    const given = { ...NO_RECORDS, txt: undefined, cname: alias(hostOf(ADA)) };
    expect(settleClaims([proved('txt')], given, context)).toMatchObject([
      { proof: 'txt', provedAt: NOW },
    ]);
  });

  it('by an A record stays routed for 30 days when a second account appears', () => {
    const [grace] = settleClaims([proved('a')], answers({ addresses: [IP] }), context);
    const until = NOW + 30 * DAY;
    expect(grace).toMatchObject({ proof: undefined, routedUntil: until, isRouted: true });
    const settleAt = (now: number, within = context) =>
      settleClaims(grace ? [grace] : [], answers({ addresses: [IP] }), { ...within, now });
    expect(settleAt(until - 1)).toMatchObject([{ isRouted: true, routedUntil: until }]);
    expect(settleAt(until)).toMatchObject([{ isRouted: false }]);
    expect(settleAt(until, alone)).toMatchObject([{ proof: 'a', routedUntil: undefined }]);
  });
});

describe('of two claims', () => {
  const eves = (change: Partial<Claim> = {}) => claim({ ...EVE, claimedAt: NOW - HOUR, ...change });
  const routed = (claims: Claim[], given: DnsAnswers, within = context) =>
    settleClaims(claims, given, within).find(({ isRouted }) => isRouted)?.ownerId;
  const grace = { routedUntil: NOW + DAY, isRouted: true };

  it.each<[string, Claim[], DnsAnswers, string | undefined]>([
    ['neither, without a proof', [claim(), eves()], NO_RECORDS, undefined],
    ['neither, by an A record', [claim(), eves()], answers({ addresses: [IP] }), undefined],
    ['the one with TXT, not the older', [claim(), eves()], answers(txt(EVE)), 'eve'],
    [
      'the one with TXT, not the one with CNAME',
      [proved('cname'), eves()],
      answers({ ...txt(EVE), cname: alias(hostOf(ADA)) }),
      'eve',
    ],
    ['the routed one, when both have TXT', [proved('txt'), eves()], answers(txt(ADA, EVE)), 'ada'],
    [
      'the older, when both have TXT for the first time',
      [eves(), claim()],
      answers(txt(ADA, EVE)),
      'ada',
    ],
    [
      'the one with TXT, when that of the other is gone',
      [proved('txt'), eves()],
      answers(txt(EVE)),
      'eve',
    ],
    [
      'the one with CNAME, when the TXT record of the other is gone',
      [proved('txt'), eves()],
      answers({ cname: alias(hostOf(EVE)) }),
      'eve',
    ],
    [
      'the one with TXT, also when the CNAME query is not answered',
      [proved('txt'), eves()],
      { ...NO_ANSWER, ...txt(EVE) },
      'eve',
    ],
    ['the routed one, when nothing is answered', [proved('cname'), eves()], NO_ANSWER, 'ada'],
    ['the routed one, when its record is missing', [proved('cname'), eves()], NO_RECORDS, 'ada'],
    ['the one routed before proofs', [claim(grace), eves()], NO_RECORDS, 'ada'],
    [
      'the one with TXT, not the one routed before',
      [claim(grace), eves()],
      answers(txt(EVE)),
      'eve',
    ],
    [
      'the one with CNAME, not the one routed before',
      [claim(grace), eves()],
      answers({ cname: alias(hostOf(EVE)) }),
      'eve',
    ],
    [
      'the one routed before, not one with an A record',
      [claim(grace), eves()],
      answers({ addresses: [IP] }),
      'ada',
    ],
  ])('routes %s', (_, claims, given, owner) => {
    expect(routed(claims, given)).toBe(owner);
    expect(routed(claims.toReversed(), given)).toBe(owner);
  });

  it('routes a domain never again to the app that had it before proofs, once another account proved it', () => {
    const taken = settleClaims([claim(grace), eves()], answers(txt(EVE)), context);
    const [ada, eve] = taken;
    const given = ada && eve ? [ada, { ...eves(), appId: eve.appId }] : [];
    expect(routed(given, NO_RECORDS)).toBeUndefined();
  });

  it('routes one of the same account', () => {
    const other = claim({ appId: 'a2', claimedAt: NOW - HOUR });
    const settled = settleClaims([other, claim()], answers(txt(ADA)), context);
    expect(settled.map(({ appId, isRouted }) => [appId, isRouted])).toEqual([
      ['a2', false],
      ['a1', true],
    ]);
  });
});

describe('the next check', () => {
  const next = (claims: Claim[], { isAnswered = true, random = 0 } = {}) => {
    const at = nextCheckAt(claims, { now: NOW, isAnswered, random });
    return at === undefined ? undefined : at - NOW;
  };

  it.each<[string, Claim[], number | undefined]>([
    ['a minute after a new claim', [claim({ claimedAt: NOW })], MINUTE],
    ['later for an older one', [claim({ claimedAt: NOW - 4 * HOUR })], HOUR],
    ['at most 6 hours later', [claim({ claimedAt: NOW - 6 * DAY })], 6 * HOUR],
    ['never for an expired one', [claim({ claimedAt: NOW - 7 * DAY })], undefined],
    ['daily while proved', [proved('txt')], DAY],
    ['hourly while the record is missing', [missing('txt', 2)], HOUR],
    ['by the claim that needs it first', [proved('txt'), claim({ claimedAt: NOW })], MINUTE],
    ['when it ceases to be routed', [claim({ routedUntil: NOW + 1_000 })], 1_000],
    [
      'every 6 hours while routed without a proof',
      [claim({ claimedAt: NOW - 9 * DAY, routedUntil: NOW + 9 * DAY })],
      6 * HOUR,
    ],
  ])('is %s', (_, claims, wait) => {
    expect(next(claims)).toBe(wait);
  });

  it('is in an hour when nothing was answered', () => {
    expect(next([proved('txt')], { isAnswered: false })).toBe(HOUR);
  });

  it('is up to a tenth earlier', () => {
    expect(next([proved('txt')], { random: 1 })).toBe(0.9 * DAY);
  });
});
