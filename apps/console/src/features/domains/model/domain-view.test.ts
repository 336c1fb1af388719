import type { DomainStatus } from '@longshore/contract';
import { describe, expect, it } from 'vitest';
import { aDomain } from '../../../../test/resources.ts';
import { domainView } from './domain-view.ts';

const several = {
  token: 'longshore-1',
  generatedHost: 'shop-0123456789ab.apps.example.net',
  isAddressEnough: false,
  publicIp: '203.0.113.7',
};
const alone = { ...several, isAddressEnough: true };

it.each<[Partial<DomainStatus>, string, string, RegExp, string[]]>([
  [
    { state: 'proved', proof: 'txt', pointsHere: true },
    'Verified',
    'good',
    /by the TXT record/,
    [],
  ],
  [
    { state: 'proved', proof: 'a', pointsHere: undefined },
    'Verified',
    'good',
    /by the A record/,
    [],
  ],
  [
    { state: 'proved', proof: 'txt', pointsHere: false },
    'Verified, wrong DNS record',
    'warning',
    /does not point to this server/,
    ['CNAME', 'A'],
  ],
  [
    { state: 'lapsing' },
    'Record missing',
    'warning',
    /until January 8, 2025/,
    ['CNAME', 'A', 'TXT'],
  ],
  [
    { state: 'temporary' },
    'Not verified',
    'warning',
    /without verification until January 8, 2025\. Create the CNAME record/,
    ['CNAME', 'A', 'TXT'],
  ],
  [
    { state: 'unproved' },
    'Not verified yet',
    'idle',
    /^Not served yet.*automatically until January 8, 2025/,
    ['CNAME', 'A', 'TXT'],
  ],
  [
    { state: 'unproved', checkedAt: undefined },
    'Checking DNS…',
    'idle',
    /^Not served yet/,
    ['CNAME', 'A', 'TXT'],
  ],
  [{ state: 'expired' }, 'Not verified', 'idle', /Then check again/, ['CNAME', 'A', 'TXT']],
  [
    { state: 'taken' },
    'Taken',
    'bad',
    /^Another account.*create the TXT record/,
    ['TXT', 'CNAME', 'A'],
  ],
  [{ state: 'duplicate', app: 'blog' }, 'Used by another app', 'bad', /^Your app blog/, []],
  [{ state: 'reserved' }, 'Not allowed', 'bad', /belongs to the Longshore installation/, []],
])('%j is shown as %s', (change, chip, tone, text, records) => {
  const view = domainView(aDomain(change), several);
  expect(view.chip).toMatchObject({ text: chip, tone });
  expect(view.text).toMatch(text);
  expect(view.records.map(({ type }) => type)).toEqual(records);
  expect(view.isServed).toBe(['proved', 'lapsing', 'temporary'].includes(change.state ?? ''));
});

it('asks for no TXT record while there is one account', () => {
  const view = domainView(aDomain(), alone);
  expect(view.text).toMatch(/Create the CNAME record or the A record\./);
  expect(view.records.map(({ type }) => type)).toEqual(['CNAME', 'A']);
});

describe('records', () => {
  it('have the names and values to create', () => {
    const { records } = domainView(aDomain(), several);
    expect(records.map(({ type, name, value }) => [type, name, value])).toEqual([
      ['CNAME', 'shop.example.com', several.generatedHost],
      ['A', 'shop.example.com', '203.0.113.7'],
      ['TXT', '_longshore.shop.example.com', 'longshore-1'],
    ]);
  });

  it('are of type AAAA for an IPv6 address', () => {
    const { records } = domainView(aDomain(), { ...several, publicIp: '2001:db8::1' });
    expect(records[1]).toMatchObject({ type: 'AAAA', value: '2001:db8::1' });
  });

  it.each<[Partial<DomainStatus>, string, string]>([
    [{ checkedAt: undefined }, 'Not checked yet', 'idle'],
    [{}, 'No record', 'idle'],
    [
      { answers: { txt: undefined, cname: undefined, addresses: undefined } },
      'No answer',
      'warning',
    ],
    [{ answers: { txt: ['x', 'y'], cname: [], addresses: [] } }, 'x, y', 'bad'],
    [
      { answers: { txt: ['x', 'longshore-1'], cname: [], addresses: [] } },
      'x, longshore-1',
      'good',
    ],
  ])('of %j show what DNS answers', (change, text, tone) => {
    const { records } = domainView(aDomain(change), several);
    expect(records.find(({ type }) => type === 'TXT')?.found).toEqual({ text, tone });
  });
});
