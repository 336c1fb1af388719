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

describe('with nothing given', () => {
  it.each([undefined, null, ''])('%j leads to the console', (redirectTo) => {
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
])('lets %s through', (redirectTo, target) => {
  expect(allowedRedirect(redirectTo, rules)).toBe(target);
});

it.each([
  ['a host that begins alike', 'http://localhost:1337.evil.example'],
  ['a host below ours', 'http://evil.localhost:1337'],
  ['a host that ends alike', 'http://evillocalhost:1337'],
  ['a name before another host', 'http://localhost:1337@evil.example'],
  ['a name before our host', 'http://evil.example@localhost:1337'],
  ['a password before our host', 'http://:x@localhost:1337'],
  ['another port', 'http://localhost:1338'],
  ['no port', 'http://localhost'],
  ['another scheme', 'https://localhost:1337'],
  ['a script', 'javascript:alert(1)//http://localhost:1337'],
  ['data', 'data:text/html,http://localhost:1337'],
  ['no scheme', '//localhost:1337'],
  ['a path alone', '/dashboard'],
  ['a backslash', 'http://evil.example\\@localhost:1337'],
  ['a longer last segment', 'https://app.example.com/welcomes'],
  ['a path above', 'https://app.example.com/'],
  ['a path that climbs out', 'https://app.example.com/welcome/../admin'],
  ['a path that climbs out in disguise', 'https://app.example.com/welcome/%2e%2e/admin'],
  ['two labels for one star', 'https://a.b.preview.example.com'],
  ['no label for a star', 'https://preview.example.com'],
  ['an empty label for a star', 'https://.preview.example.com'],
  ['nothing for a star inside a label', 'https://pr-.example.org/en/done'],
  ['two segments for one star', 'https://pr-1.example.org/en/us/done'],
  ['our address in the query', 'https://evil.example/?http://localhost:1337'],
  ['our address in the fragment', 'https://evil.example/#http://localhost:1337'],
  ['another place of an own scheme', 'myapp://elsewhere'],
  ['an entry that is no address', 'not an address'],
  ['nonsense', 'http://'],
])('refuses %s', (_, redirectTo) => {
  expect(allowedRedirect(redirectTo, rules)).toBeUndefined();
});

it.each([
  ['https://console.example.com', 'https://console.example.com:443/a'],
  ['http://console.example.com:80', 'http://console.example.com/a'],
])('takes default ports for what they are: %s', (publicUrl, redirectTo) => {
  expect(allowedRedirect(redirectTo, { publicUrl, allowedRedirects: [] })).toBe(
    redirectTo.replace(':443', ''),
  );
});
