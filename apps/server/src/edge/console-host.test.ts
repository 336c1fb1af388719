import { describe, expect, it } from 'vitest';
import { consoleHostOf, consolePortOf, sharedWithApps } from './console-host.ts';

describe('consoleHostOf and consolePortOf', () => {
  it.each([
    ['https://console.example.com', 'console.example.com', 443],
    ['https://console.example.com:8443', 'console.example.com', 8443],
    ['https://localhost:8443', 'localhost', 8443],
    ['http://console.example.com', undefined, undefined],
    ['http://localhost:1337', undefined, undefined],
    ['https://203.0.113.7', undefined, undefined],
    ['https://[2001:db8::1]', undefined, undefined],
  ])('%s: %s, %s', (publicUrl, host, port) => {
    expect(consoleHostOf(publicUrl)).toBe(host);
    expect(consolePortOf(publicUrl)).toBe(port);
  });
});

describe('sharedWithApps', () => {
  it.each([
    // x.example.com may set cookies for example.com, and its passkeys are those of example.com.
    ['example.com', 'example.com', 'cookies and passkeys'],
    ['console.example.com', 'console.example.com', 'cookies and passkeys'],
    // x.apps.example.com may use the passkeys of example.com.
    ['example.com', 'apps.example.com', 'cookies and passkeys'],
    ['example.com', 'a.b.example.com', 'cookies and passkeys'],
    // x.example.com may set cookies for example.com, which console.example.com gets too.
    ['console.example.com', 'example.com', 'cookies'],
    ['console.eu.example.com', 'example.com', 'cookies'],
    // Beside each other.
    ['console.example.com', 'apps.example.com', 'nothing'],
    ['console.example.com', 'example.net', 'nothing'],
    // Names that only end alike.
    ['console.example.com', 'ole.example.com', 'nothing'],
    ['myexample.com', 'example.com', 'nothing'],
    ['example.com', 'myexample.com', 'nothing'],
    // Nobody else can reach apps below localhost.
    ['localhost', 'localhost', 'nothing'],
    ['console.localhost', 'localhost', 'nothing'],
    ['localhost', 'apps.localhost', 'nothing'],
    ['console.example.com', 'localhost', 'nothing'],
  ])('console at %s, apps below %s: %s', (consoleHost, baseDomain, expected) => {
    expect(sharedWithApps(consoleHost, baseDomain)).toBe(expected);
  });
});
