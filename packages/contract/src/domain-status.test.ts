import { expect, it } from 'vitest';
import type { CertificateStatus } from './certificate-status.ts';
import { type AppDomains, decodeAppDomains, proofNameOf } from './domain-status.ts';

const valid: CertificateStatus = {
  state: 'valid',
  validUntil: '2026-05-30T00:00:00.000Z',
  renewsAt: '2026-04-30T00:00:00.000Z',
  failure: { code: 'caa', detail: 'no' },
  nextTryAt: '2026-03-02T00:00:00.000Z',
};

const domains: AppDomains = {
  token: 'token-1',
  generatedHost: 'shop-3a35450ee57c.localhost',
  isAddressEnough: false,
  generatedCertificate: undefined,
  domains: [
    {
      domain: 'shop.example.com',
      state: 'proved',
      proof: 'txt',
      until: undefined,
      app: undefined,
      checkedAt: '2026-03-01T00:00:00.000Z',
      answers: { txt: ['token-1'], cname: undefined, addresses: ['192.0.2.1'] },
      pointsHere: true,
      certificate: valid,
    },
  ],
};

it('decodes a response as it was sent', () => {
  expect(decodeAppDomains(JSON.parse(JSON.stringify(domains)))).toEqual(domains);
});

it.each([
  ['no certificate', undefined, undefined],
  ['an unknown state', { state: 'new' }, undefined],
  [
    'an unknown failure',
    { ...valid, failure: { code: 'new', detail: 7 } },
    { ...valid, failure: { code: 'refused', detail: '' } },
  ],
])('decodes %s', (_, certificate, decoded) => {
  const body = { ...domains, domains: [{ ...domains.domains[0], certificate }] };
  expect(decodeAppDomains(body)?.domains[0]?.certificate).toEqual(decoded);
});

it.each([
  undefined,
  null,
  [],
  {},
  { ...domains, token: 7 },
  { ...domains, generatedHost: undefined },
  { ...domains, domains: [{ domain: 'shop.example.com', state: 'unknown' }] },
  { ...domains, domains: [{ state: 'proved' }] },
])('rejects %j', (body) => {
  expect(decodeAppDomains(body)).toBeUndefined();
});

it('names the TXT record of a domain', () => {
  expect(proofNameOf('shop.example.com')).toBe('_longshore.shop.example.com');
});
