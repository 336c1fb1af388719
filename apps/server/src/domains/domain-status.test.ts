import { expect, it } from 'vitest';
import type { Claim, DnsAnswers } from './domain-rules.ts';
import { domainStatus, shownAnswers } from './domain-status.ts';

const DAY = 86_400_000;
const NOW = Date.parse('2026-03-01T00:00:00Z');

const own: Claim = {
  appId: 'a1',
  ownerId: 'ada',
  token: 'token-ada',
  claimedAt: NOW - DAY,
  proof: undefined,
  provedSince: undefined,
  provedAt: undefined,
  missingSince: undefined,
  routedUntil: undefined,
  isRouted: false,
};
const others: Claim = { ...own, appId: 'e1', ownerId: 'eve', isRouted: true };
const answers = { txt: [], cname: [], addresses: ['192.0.2.1'] };

it.each<[string, Partial<Claim>, Claim[], object]>([
  ['proved', { proof: 'txt', provedAt: NOW, isRouted: true }, [], { proof: 'txt' }],
  [
    'lapsing',
    { proof: 'txt', provedAt: NOW - 2 * DAY, missingSince: NOW - DAY, isRouted: true },
    [],
    { proof: undefined, until: '2026-03-06T00:00:00.000Z' },
  ],
  [
    'temporary',
    { routedUntil: NOW + DAY, isRouted: true },
    [],
    { until: '2026-03-02T00:00:00.000Z' },
  ],
  ['unproved', {}, [], { until: '2026-03-07T00:00:00.000Z' }],
  ['expired', { claimedAt: NOW - 7 * DAY }, [], { until: undefined }],
  ['taken', {}, [{ ...others, proof: 'cname' }], {}],
  ['unproved', {}, [{ ...others, routedUntil: NOW + DAY }], {}],
  ['duplicate', {}, [{ ...others, ownerId: 'ada' }], { holderId: 'e1' }],
])('is %s for %j beside %j', (state, change, beside, expected) => {
  const claim = { ...own, ...change };
  const claims = { own: claim, claims: [claim, ...beside], check: { checkedAt: NOW, answers } };
  const status = domainStatus('shop.example.com', claims, { now: NOW, isReserved: false });
  expect(status).toMatchObject({ state, checkedAt: '2026-03-01T00:00:00.000Z', ...expected });
  expect(JSON.stringify(status)).not.toMatch(/eve|token/);
});

it('is reserved below the base domain', () => {
  const claims = { own, claims: [own], check: { checkedAt: undefined, answers } };
  const status = domainStatus('x.localhost', claims, { now: NOW, isReserved: true });
  expect(status).toMatchObject({ state: 'reserved', checkedAt: undefined });
});

const rules = { publicIp: '10.0.0.5', baseDomain: 'apps.example.net' };
const none: DnsAnswers = { txt: [], cname: { targets: [], isComplete: true }, addresses: [] };

it('hides addresses of private networks, except its own', () => {
  const addresses = ['10.0.0.7', '192.168.1.1', '10.0.0.5', '8.8.8.8', 'fd00::1'];
  expect(shownAnswers({ ...none, addresses }, rules).addresses).toEqual([
    'private address',
    '10.0.0.5',
    '8.8.8.8',
  ]);
});

it('bounds what is stored of a large answer', () => {
  const txt = Array.from({ length: 500 }, () => 'x'.repeat(60_000));
  const shown = shownAnswers({ ...none, txt }, rules);
  expect(shown.txt).toHaveLength(10);
  expect(JSON.stringify(shown).length).toBeLessThan(4_000);
});

it.each<[string, Partial<DnsAnswers>, boolean | undefined]>([
  ['the address of the server', { addresses: ['10.0.0.5'] }, true],
  ['another address', { addresses: ['8.8.8.8'] }, false],
  ['no address', {}, false],
  ['no answer', { addresses: undefined }, undefined],
  [
    'an alias of a generated host',
    { cname: { targets: ['shop-0123456789ab.apps.example.net'], isComplete: true } },
    true,
  ],
])('knows whether visitors come here by %s', (_, change, pointsHere) => {
  expect(shownAnswers({ ...none, ...change }, rules).pointsHere).toBe(pointsHere);
});
