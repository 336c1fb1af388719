import { expect, it } from 'vitest';
import { connectionOf, trustedProxies } from './client-address.ts';

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
  ['has no port', '10.0.0.1', { 'x-forwarded-for': '203.0.113.9:4711' }, '203.0.113.9', 'http'],
  ['has no port with IPv6', '10.0.0.1', { 'x-forwarded-for': '[::2]:47' }, '::2', 'http'],
  [
    'may have an IPv6 address',
    '10.0.0.1',
    { 'x-forwarded-for': '2001:db8::1' },
    '2001:db8::1',
    'http',
  ],
  [
    'is the proxy itself when it names something else than an address',
    '10.0.0.1',
    { 'x-forwarded-for': '203.0.113.9, unknown' },
    '10.0.0.1',
    'http',
  ],
])('the client %s', (_behaviour, remoteAddress, headers, address, protocol) => {
  const connection = connectionOf({ headers, socket: { remoteAddress } }, isTrusted);
  expect(connection).toMatchObject({ address, protocol });
});

it.each([
  ['10.0.0.1', true],
  ['203.0.113.9', false],
])('a request from %s came through a trusted proxy: %s', (remoteAddress, isProxied) => {
  const request = { headers: forwardedHeaders, socket: { remoteAddress } };
  expect(connectionOf(request, isTrusted).isProxied).toBe(isProxied);
});

it('trusts no headers when no proxy is configured', () => {
  const request = { headers: forwardedHeaders, socket: { remoteAddress: '10.0.0.1' } };
  expect(connectionOf(request, undefined)).toEqual({
    address: '10.0.0.1',
    protocol: 'http',
    isProxied: false,
  });
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

it.each([
  ['10.0.0.1', true],
  ['10.213.4.5', false],
  ['10.213.0.9', true],
  ['fd5c::7', false],
])('with networks of apps inside a trusted network, %s is trusted: %s', (address, expected) => {
  const isTrustedProxy = trustedProxies(
    ['10.0.0.0/8', 'fd00::/8', '10.213.0.9'],
    ['10.213.0.0/16', 'fd5c::/96'],
  );
  expect(isTrustedProxy?.(address)).toBe(expected);
});

it('has no trusted proxies for an empty list', () => {
  expect(trustedProxies([])).toBeUndefined();
});
