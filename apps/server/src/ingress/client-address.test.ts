import { expect, it } from 'vitest';
import { clientOf, trustedProxies } from './client-address.ts';

const isTrusted = (address: string) => address.startsWith('10.');
const forwardedHeaders = {
  'x-forwarded-for': '198.51.100.1, 203.0.113.9',
  'x-forwarded-proto': 'https',
};

it.each([
  ['is the connecting address', '203.0.113.9', {}, '203.0.113.9', 'http'],
  [
    'cannot choose its address without a trusted proxy',
    '203.0.113.9',
    forwardedHeaders,
    '203.0.113.9',
    'http',
  ],
  [
    'is the last address named by a trusted proxy',
    '10.0.0.1',
    forwardedHeaders,
    '203.0.113.9',
    'https',
  ],
  [
    'is found for a proxy with an IPv4-mapped address',
    '::ffff:10.0.0.1',
    forwardedHeaders,
    '203.0.113.9',
    'https',
  ],
  ['is the proxy itself when it names no address', '10.0.0.1', {}, '10.0.0.1', 'http'],
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
    'has the protocol http if the header is invalid',
    '10.0.0.1',
    { 'x-forwarded-proto': 'https://evil' },
    '10.0.0.1',
    'http',
  ],
])('the client %s', (_behaviour, remoteAddress, headers, address, protocol) => {
  const client = clientOf({ headers, socket: { remoteAddress } }, isTrusted);
  expect(client).toEqual({ address, protocol });
});

it('trusts no headers when no proxy is configured', () => {
  const client = clientOf(
    { headers: forwardedHeaders, socket: { remoteAddress: '10.0.0.1' } },
    undefined,
  );
  expect(client).toEqual({ address: '10.0.0.1', protocol: 'http' });
});

it.each([
  ['10.0.0.1', true],
  ['10.0.0.2', false],
  ['192.168.7.8', true],
  ['192.169.7.8', false],
  ['fd00::1', true],
  ['fe80::1', false],
  ['unknown', false],
  ['', false],
])('%j is trusted: %s', (address, expected) => {
  const isTrustedProxy = trustedProxies(['10.0.0.1', '192.168.0.0/16', 'fd00::/8']);
  expect(isTrustedProxy?.(address)).toBe(expected);
});

it('has no trusted proxies for an empty list', () => {
  expect(trustedProxies([])).toBeUndefined();
});
