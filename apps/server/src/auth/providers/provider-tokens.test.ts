import { OAuth2Tokens } from 'arctic';
import { expect, it } from 'vitest';
import { providerTokensOf, toProviderSession } from './provider-tokens.ts';

const NOW = Date.UTC(2026, 10, 15);
const YEAR_SECONDS = 365 * 86_400;

it.each([
  ['all of it', { access_token: 'a', refresh_token: 'r', expires_in: 3_600 }, 'r', 3_600],
  ['an end written as text', { access_token: 'a', expires_in: '60' }, undefined, 60],
  ['no end, as GitHub does', { access_token: 'a' }, undefined, YEAR_SECONDS],
  ['an end that is none', { access_token: 'a', expires_in: 'soon' }, undefined, YEAR_SECONDS],
  [
    'an end beyond all calendars',
    { access_token: 'a', expires_in: 1e300 },
    undefined,
    YEAR_SECONDS,
  ],
  [
    'a refresh token that is none',
    { access_token: 'a', refresh_token: 7, expires_in: 1 },
    undefined,
    1,
  ],
])('reads an answer with %s', (_, answer, refreshToken, seconds) => {
  const tokens = providerTokensOf(new OAuth2Tokens(answer), NOW);
  expect(tokens).toEqual({ accessToken: 'a', refreshToken, expiresAt: NOW + seconds * 1_000 });
});

it('does not take an answer without a token for one', () => {
  expect(() => providerTokensOf(new OAuth2Tokens({ token_type: 'bearer' }), NOW)).toThrow();
});

it('tells how long they are good from now on', () => {
  const tokens = { accessToken: 'a', expiresAt: NOW + 60_000 };
  expect(toProviderSession(tokens, NOW + 20_000)).toEqual({
    accessToken: 'a',
    expiresIn: 40,
    expiresAt: '2026-11-15T00:01:00.000Z',
  });
  expect(toProviderSession({ ...tokens, refreshToken: 'r' }, NOW + 90_000)).toMatchObject({
    expiresIn: 0,
    refreshToken: 'r',
  });
});
