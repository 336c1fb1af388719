import type { AppDomains, CertificateStatus } from '@longshore/contract';
import { expect, it } from 'vitest';
import { aCertificate, aDomain } from '../../../../test/resources.ts';
import { certificateView, generatedCertificateView, isWaiting } from './certificate-view.ts';

const day = '2026-05-30T12:00:00Z';
const failure = { code: 'caa', detail: 'forbidden' } as const;

it.each<[Partial<CertificateStatus>, string, string, RegExp]>([
  [
    { validUntil: day, renewsAt: '2026-04-30T12:00:00Z' },
    'Certificate valid',
    'good',
    /valid until May 30, 2026, renews on April 30, 2026/,
  ],
  [{ validUntil: day }, 'Certificate valid', 'good', /the one of this server, valid until May 30/],
  [
    { validUntil: day, renewsAt: day, failure },
    'Certificate not renewed',
    'warning',
    /valid until May 30, 2026, but the renewal failed/,
  ],
  [{ state: 'pending' }, 'No certificate yet', 'idle', /automatically/],
  [{ state: 'failed', failure }, 'Certificate failed', 'bad', /not issued/],
  [{ state: 'limited', nextTryAt: day }, 'No certificate yet', 'idle', /ordered on May 30, 2026/],
  [{ state: 'too-many' }, 'No certificate yet', 'idle', /more than 100 domains/],
])('shows %j as %s', (status, chip, tone, text) => {
  const view = certificateView('shop.example.com', aCertificate(status));
  expect(view).toMatchObject({ chip: { text: chip, tone }, text: expect.stringMatching(text) });
});

it.each([undefined, aCertificate({ state: 'off' })])('shows nothing for %j', (status) => {
  expect(certificateView('shop.example.com', status)).toBeUndefined();
});

it.each([
  [failure, /CAA record of shop.example.com.*: forbidden/, true],
  [
    { code: 'rate-limited', detail: 'too many' } as const,
    /allows no further certificate now: too many/,
    false,
  ],
])('says what to fix after %j', (cause, problem, canRetry) => {
  const status = aCertificate({ state: 'failed', failure: cause, nextTryAt: day });
  expect(certificateView('shop.example.com', status)).toMatchObject({
    failure: {
      problem: expect.stringMatching(problem),
      nextTry: expect.stringMatching(/^Next try: May 30, 2026/),
    },
    canRetry,
  });
});

const generated = (certificate: Partial<CertificateStatus>): AppDomains => ({
  token: 'token',
  generatedHost: 'shop-1.apps.example.com',
  generatedCertificate: aCertificate(certificate),
  isAddressEnough: true,
  domains: [],
});

it.each([
  ['caa', /operator of this server has to fix/],
  ['no-address', /operator of this server has to fix/],
  ['rate-limited', /automatically/],
  ['authority-unavailable', /automatically/],
] as const)('says who fixes the certificate of a generated address: %s', (code, fix) => {
  const domains = generated({ state: 'failed', failure: { code, detail: '' } });
  expect(generatedCertificateView(domains)?.failure?.fix).toMatch(fix);
});

it.each<[string, AppDomains, boolean]>([
  ['the certificate of the generated address', generated({ state: 'pending' }), true],
  ['nothing', generated({ state: 'valid' }), false],
  ['a record', { ...generated({}), domains: [aDomain({ state: 'unproved' })] }, true],
  [
    'the certificate of a domain',
    {
      ...generated({}),
      domains: [aDomain({ state: 'proved', certificate: aCertificate({ state: 'pending' }) })],
    },
    true,
  ],
])('waits for %s', (_, domains, expected) => {
  expect(isWaiting(domains)).toBe(expected);
});
