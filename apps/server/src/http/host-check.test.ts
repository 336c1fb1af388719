import { describe, expect, it } from 'vitest';
import { isAllowedOrigin, isKnownHost, upgradeProblem } from './host-check.ts';

const PUBLIC_URL = 'https://longshore.example.com';
const SETTINGS = { publicUrl: PUBLIC_URL, allowedOrigins: ['http://localhost:5173'] };

it.each([
  ['a program without an origin', { host: 'longshore.example.com' }],
  ['the console', { host: 'longshore.example.com', origin: PUBLIC_URL }],
  ['a page of an allowed origin', { host: 'localhost:1337', origin: 'http://localhost:5173' }],
  ['the console at localhost', { host: 'localhost:1337', origin: 'http://localhost:1337' }],
  ['the console at an address', { host: '192.168.1.5:1337', origin: 'http://192.168.1.5:1337' }],
  ['the console at an IPv6 address', { host: '[::1]:1337', origin: 'http://[::1]:1337' }],
])('lets %s open a websocket', (_, headers) => {
  expect(upgradeProblem(headers, SETTINGS)).toBeUndefined();
});

it.each([
  ['a page of another origin', { host: 'localhost', origin: 'https://evil.example.com' }, 403],
  ['a page with an opaque origin', { host: 'localhost', origin: 'null' }, 403],
  ['a page with an empty origin', { host: 'localhost', origin: '' }, 403],
  ['another port', { host: 'localhost:1337', origin: 'http://localhost:3000' }, 403],
  ['another loopback address', { host: 'localhost:1337', origin: 'http://127.0.0.1:1337' }, 403],
  ['another scheme', { host: 'localhost:1337', origin: 'https://localhost:1337' }, 403],
  ['an app', { host: 'localhost:1337', origin: 'http://a-0123456789ab.localhost:8080' }, 403],
  [
    'the public host over http',
    { host: 'longshore.example.com', origin: 'http://longshore.example.com' },
    403,
  ],
  ['a foreign host name that resolves to this server', { host: 'evil.example.com' }, 421],
])('refuses a websocket of %s', (_, headers, status) => {
  expect(upgradeProblem(headers, SETTINGS)?.status).toBe(status);
});

describe('isKnownHost', () => {
  it.each([
    'longshore.example.com',
    'LONGSHORE.example.com:443',
    'localhost:1337',
    '127.0.0.1:1337',
    '192.168.1.5:1337',
    '[::1]:1337',
  ])('accepts %s', (host) => {
    expect(isKnownHost(host, PUBLIC_URL)).toBe(true);
  });

  it.each([
    'evil.example',
    'evil.example:1337',
    'localhost.evil.example',
    'longshore.example.com.evil.example',
    'app-0123456789ab.localhost:1337',
    '',
    undefined,
  ])('refuses %s', (host) => {
    expect(isKnownHost(host, PUBLIC_URL)).toBe(false);
  });
});

describe('isAllowedOrigin', () => {
  it.each([PUBLIC_URL, 'http://localhost:5173'])('accepts %s', (origin) => {
    expect(isAllowedOrigin(origin, SETTINGS)).toBe(true);
  });

  it.each([
    'https://evil.example',
    'http://longshore.example.com',
    'https://longshore.example.com.evil.example',
    'http://hello-0123456789ab.localhost:8080',
    'http://192.168.1.5:1337',
    'http://localhost:3000',
    'http://localhost:5173/',
    'https://localhost:5173',
    'http://127.0.0.1:1337',
    'http://[::1]:8000',
    'http://127.evil.example',
    'null',
    '',
  ])('refuses %s', (origin) => {
    expect(isAllowedOrigin(origin, SETTINGS)).toBe(false);
  });
});
