import { describe, expect, it } from 'vitest';
import { allowedRedirect } from './redirect-to.ts';

const rules = {
  publicUrl: 'http://localhost:1337',
  allowedRedirects: [
    'https://app.example.com/welcome',
    'https://*.preview.example.com',
    'https://pr-*.example.org/*/done',
    'myapp://callback',
    'not an address',
  ],
};

describe('without redirectTo', () => {
  it.each([undefined, null, ''])('%j resolves to the console', (redirectTo) => {
    expect(allowedRedirect(redirectTo, rules)).toBe('http://localhost:1337');
  });
});

it.each([
  ['http://localhost:1337', 'http://localhost:1337/'],
  ['http://localhost:1337/verify-email', 'http://localhost:1337/verify-email'],
  ['http://localhost:1337/?a=b#c', 'http://localhost:1337/?a=b#c'],
  ['HTTP://LOCALHOST:1337/a', 'http://localhost:1337/a'],
  ['https://app.example.com/welcome', 'https://app.example.com/welcome'],
  ['https://app.example.com:443/welcome/', 'https://app.example.com/welcome/'],
  ['https://app.example.com/welcome/back?x=1', 'https://app.example.com/welcome/back?x=1'],
  ['https://one.preview.example.com/deep/path', 'https://one.preview.example.com/deep/path'],
  ['https://pr-12.example.org/en/done', 'https://pr-12.example.org/en/done'],
  ['myapp://callback/x', 'myapp://callback/x'],
])('allows %s', (redirectTo, target) => {
  expect(allowedRedirect(redirectTo, rules)).toBe(target);
});

it.each([
  ['a host with our host as prefix', 'http://localhost:1337.evil.example'],
  ['a subdomain of our host', 'http://evil.localhost:1337'],
  ['a host with our host as suffix', 'http://evillocalhost:1337'],
  ['a user name before another host', 'http://localhost:1337@evil.example'],
  ['a user name before our host', 'http://evil.example@localhost:1337'],
  ['a password before our host', 'http://:x@localhost:1337'],
  ['another port', 'http://localhost:1338'],
  ['no port', 'http://localhost'],
  ['another scheme', 'https://localhost:1337'],
  ['a script', 'javascript:alert(1)//http://localhost:1337'],
  ['data', 'data:text/html,http://localhost:1337'],
  ['no scheme', '//localhost:1337'],
  ['a relative path', '/dashboard'],
  ['a backslash', 'http://evil.example\\@localhost:1337'],
  ['a longer last segment', 'https://app.example.com/welcomes'],
  ['a parent path', 'https://app.example.com/'],
  ['a path with ..', 'https://app.example.com/welcome/../admin'],
  ['a path with an encoded ..', 'https://app.example.com/welcome/%2e%2e/admin'],
  ['two labels for one star', 'https://a.b.preview.example.com'],
  ['no label for a star', 'https://preview.example.com'],
  ['an empty label for a star', 'https://.preview.example.com'],
  ['nothing for a star inside a label', 'https://pr-.example.org/en/done'],
  ['two segments for one star', 'https://pr-1.example.org/en/us/done'],
  ['our URL in the query', 'https://evil.example/?http://localhost:1337'],
  ['our URL in the fragment', 'https://evil.example/#http://localhost:1337'],
  ['another host of a custom scheme', 'myapp://elsewhere'],
  ['an allowed entry that is no URL', 'not an address'],
  ['an invalid URL', 'http://'],
])('refuses %s', (_, redirectTo) => {
  expect(allowedRedirect(redirectTo, rules)).toBeUndefined();
});

it.each([
  ['https://console.example.com', 'https://console.example.com:443/a'],
  ['http://console.example.com:80', 'http://console.example.com/a'],
])('treats default ports as equal to no port: %s', (publicUrl, redirectTo) => {
  expect(allowedRedirect(redirectTo, { publicUrl, allowedRedirects: [] })).toBe(
    redirectTo.replace(':443', ''),
  );
});
