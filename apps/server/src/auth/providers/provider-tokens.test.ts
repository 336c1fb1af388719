import { expect, it } from 'vitest';
import { toProviderSession, toProviderTokens } from './provider-tokens.ts';

const NOW = Date.UTC(2026, 10, 15);
const YEAR_SECONDS = 365 * 86_400;

it.each([
  ['the lifetime in the token response', 3_600, 3_600],
  ['a year without a lifetime, like GitHub', undefined, YEAR_SECONDS],
  ['a year at most', 1e300, YEAR_SECONDS],
])('tokens are valid for %s', (_, expiresInSeconds, seconds) => {
  const tokens = toProviderTokens(
    { accessToken: 'a', refreshToken: 'r', expiresInSeconds, idToken: undefined },
    NOW,
  );
  expect(tokens).toEqual({
    accessToken: 'a',
    refreshToken: 'r',
    expiresAt: NOW + seconds * 1_000,
  });
});

it('reports the remaining lifetime', () => {
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
