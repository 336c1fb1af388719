import { describe, expect, it } from 'vitest';
import { isKnownHost, isKnownOrigin, upgradeProblem } from './host-check.ts';

const PUBLIC_URL = 'https://longshore.example.com';

it.each([
  ['a program without an origin', { host: 'longshore.example.com' }],
  ['the console', { host: 'longshore.example.com', origin: PUBLIC_URL }],
  ['a page on this machine', { host: 'localhost:1337', origin: 'http://localhost:5173' }],
])('lets %s open a websocket', (_, headers) => {
  expect(upgradeProblem(headers, PUBLIC_URL)).toBeUndefined();
});

it.each([
  ['a page of another origin', { host: 'localhost', origin: 'https://evil.example.com' }, 403],
  ['a page with an opaque origin', { host: 'localhost', origin: 'null' }, 403],
  ['a foreign host name that resolves to this server', { host: 'evil.example.com' }, 421],
])('refuses a websocket of %s', (_, headers, status) => {
  expect(upgradeProblem(headers, PUBLIC_URL)?.status).toBe(status);
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

describe('isKnownOrigin', () => {
  it.each([
    PUBLIC_URL,
    'http://localhost:3000',
    'http://localhost:5173',
    'http://127.0.0.1:1337',
    'http://[::1]:8000',
  ])('accepts %s', (origin) => {
    expect(isKnownOrigin(origin, PUBLIC_URL)).toBe(true);
  });

  it.each([
    'https://evil.example',
    'http://longshore.example.com',
    'https://longshore.example.com.evil.example',
    'http://hello-0123456789ab.localhost:8080',
    'http://192.168.1.5:1337',
    'http://127.evil.example',
    'null',
    '',
  ])('refuses %s', (origin) => {
    expect(isKnownOrigin(origin, PUBLIC_URL)).toBe(false);
  });
});
