import { expect, it } from 'vitest';
import { visitorOf } from './visitor.ts';

const isTrusted = (address: string) => address.startsWith('10.');
const claims = { 'x-forwarded-for': '198.51.100.1, 203.0.113.9', 'x-forwarded-proto': 'https' };

it.each([
  ['is who connects', '203.0.113.9', {}, '203.0.113.9', 'http'],
  ['is not believed who they are', '203.0.113.9', claims, '203.0.113.9', 'http'],
  ['is whom a trusted proxy names last', '10.0.0.1', claims, '203.0.113.9', 'https'],
  ['is seen through a mapped address', '::ffff:10.0.0.1', claims, '203.0.113.9', 'https'],
  ['is the proxy itself when it names nobody', '10.0.0.1', {}, '10.0.0.1', 'http'],
  [
    'is found behind several proxies',
    '10.0.0.1',
    { 'x-forwarded-for': '6.6.6.6, 203.0.113.9, 10.0.0.2' },
    '203.0.113.9',
    'http',
  ],
  [
    'may be in the same network as the proxies',
    '10.0.0.1',
    { 'x-forwarded-for': '10.0.0.7, 10.0.0.2', 'x-forwarded-proto': 'http, HTTPS' },
    '10.0.0.7',
    'https',
  ],
  [
    'came by a protocol we know',
    '10.0.0.1',
    { 'x-forwarded-proto': 'https://evil' },
    '10.0.0.1',
    'http',
  ],
])('a visitor %s', (_sentence, remoteAddress, headers, address, protocol) => {
  const visitor = visitorOf({ headers, socket: { remoteAddress } }, isTrusted);
  expect(visitor).toEqual({ address, protocol });
});

it('believes nobody when no proxy is named', () => {
  const visitor = visitorOf({ headers: claims, socket: { remoteAddress: '10.0.0.1' } }, undefined);
  expect(visitor).toEqual({ address: '10.0.0.1', protocol: 'http' });
});
