import { describe, expect, it } from 'vitest';
import { isKnownHost, isKnownOrigin } from './known-hosts.ts';

const PUBLIC_URL = 'https://longshore.example.com';

describe('isKnownHost', () => {
  it.each([
    'longshore.example.com',
    'LONGSHORE.example.com:443',
    'localhost:1337',
    '127.0.0.1:1337',
    '192.168.1.5:1337',
    '[::1]:1337',
  ])('knows %s', (host) => {
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
  ])('does not know %s', (host) => {
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
  ])('lets %s read answers', (origin) => {
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
  ])('does not let %s', (origin) => {
    expect(isKnownOrigin(origin, PUBLIC_URL)).toBe(false);
  });
});
