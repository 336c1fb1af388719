import { describe, expect, it } from 'vitest';
import { readUrlParameters, resolveRedirect, withoutSessionParameters } from './url-parameters.ts';

const HOME = 'http://localhost:1337';

describe('the URL at startup', () => {
  it.each([
    ['/login', { kind: 'none' }],
    ['/?refreshToken=abc&type=verifyEmail', { kind: 'token', refreshToken: 'abc' }],
    ['/#refreshToken=abc', { kind: 'token', refreshToken: 'abc' }],
    [
      '/?error=invalid-ticket&errorDescription=Invalid+ticket',
      { kind: 'failed', error: { status: 10, error: 'invalid-ticket', message: 'Invalid ticket' } },
    ],
    [
      '/?error=invalid-ticket',
      { kind: 'failed', error: { status: 10, error: 'invalid-ticket', message: 'invalid-ticket' } },
    ],
    ['/?error=internal-error&errorDescription=social+user+already+exists', { kind: 'none' }],
    ['/?error=social+user+already+exists', { kind: 'none' }],
    [
      '/?error=mfa-required&errorDescription=Enter+a+code&ticket=mfaTotp%3A1',
      { kind: 'needs-mfa', ticket: 'mfaTotp:1' },
    ],
    [
      '/?error=mfa-required&errorDescription=Enter+a+code',
      { kind: 'failed', error: { status: 10, error: 'mfa-required', message: 'Enter a code' } },
    ],
    [
      '/?error=internal-error&errorDescription=social+user+already+exists%21',
      {
        kind: 'failed',
        error: { status: 10, error: 'internal-error', message: 'social user already exists!' },
      },
    ],
  ])('%s is parsed as %j', (path, expected) => {
    expect(readUrlParameters(HOME + path)).toEqual(expected);
  });

  it.each([
    ['/a?refreshToken=x&type=verifyEmail&keep=1', '/a?keep=1'],
    ['/a?refreshToken=x', '/a'],
    ['/a#refreshToken=x&keep=1', '/a#keep=1'],
    ['/a?keep=1#section', '/a?keep=1#section'],
    ['/a?error=mfa-required&errorDescription=x&keep=1&ticket=mfaTotp%3A1', '/a?keep=1'],
    ['/a?error=invalid-ticket&ticket=1', '/a?error=invalid-ticket&ticket=1'],
    ['/a?keep&also=b%20c', '/a?keep&also=b%20c'],
  ])('%s without the session parameters is %s', (path, rest) => {
    expect(withoutSessionParameters(HOME + path)).toBe(HOME + rest);
  });
});

describe('a redirect', () => {
  it.each([
    ['https://elsewhere.example/x', 'https://elsewhere.example/x'],
    ['/welcome', `${HOME}/welcome?invite=7`],
    ['/welcome?invite=8', `${HOME}/welcome?invite=8`],
  ])('to %s is resolved to %s', (redirectTo, target) => {
    expect(resolveRedirect(redirectTo, `${HOME}/signup?invite=7&refreshToken=x`)).toBe(target);
  });

  it.each([
    ['/welcome', `${HOME}/welcome?tag=a&tag=b&page=1`],
    ['/welcome?tag=c&tag=d', `${HOME}/welcome?tag=c&tag=d&page=1`],
    ['/welcome?x=1#top', `${HOME}/welcome?x=1&tag=a&tag=b&page=1#top`],
  ])('to %s keeps every value of a repeated parameter: %s', (redirectTo, target) => {
    expect(resolveRedirect(redirectTo, `${HOME}/signup?tag=a&tag=b&page=1`)).toBe(target);
  });
});
