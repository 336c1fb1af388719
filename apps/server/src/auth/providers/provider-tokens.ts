import type { ProviderSession } from '@longshore/contract';
import type { OAuthTokens } from '../../oauth/oauth-client.ts';

/** Tokens that let a client call a provider's API as the user. */
export type ProviderTokens = {
  accessToken: string;
  refreshToken?: string | undefined;
  /** Milliseconds since the epoch. */
  expiresAt: number;
};

/** GitHub sends no lifetime, and revokes tokens that were not used for a year. */
const MAX_LIFETIME_SECONDS = 365 * 86_400;

export function toProviderTokens(
  { accessToken, refreshToken, expiresInSeconds = MAX_LIFETIME_SECONDS }: OAuthTokens,
  now: number,
): ProviderTokens {
  const lifetimeMs = Math.min(expiresInSeconds, MAX_LIFETIME_SECONDS) * 1_000;
  return { accessToken, refreshToken, expiresAt: now + lifetimeMs };
}

/** The response format of nhost-js, `ProviderSession`. */
export function toProviderSession(tokens: ProviderTokens, now: number): ProviderSession {
  const { accessToken, refreshToken, expiresAt } = tokens;
  return {
    accessToken,
    expiresIn: Math.max(0, Math.round((expiresAt - now) / 1_000)),
    expiresAt: new Date(expiresAt).toISOString(),
    ...(refreshToken === undefined ? {} : { refreshToken }),
  };
}
