import type { ProviderSession } from '@longshore/contract';
import type { OAuth2Tokens } from 'arctic';
import { z } from 'zod';

const Answer = z.object({
  access_token: z.string(),
  refresh_token: z.string().min(1).optional().catch(undefined),
  expires_in: z.coerce.number().positive().optional().catch(undefined),
});

/** What lets one call a provider in somebody's name. */
export type ProviderTokens = {
  accessToken: string;
  refreshToken?: string | undefined;
  /** Milliseconds since the epoch. */
  expiresAt: number;
};

/** GitHub names no end, and forgets a token that nobody used for a year. */
const ENDLESS_SECONDS = 365 * 86_400;

export function providerTokensOf({ data }: OAuth2Tokens, now: number): ProviderTokens {
  const { access_token, refresh_token, expires_in = ENDLESS_SECONDS } = Answer.parse(data);
  const lifetimeMs = Math.min(expires_in, ENDLESS_SECONDS) * 1_000;
  return { accessToken: access_token, refreshToken: refresh_token, expiresAt: now + lifetimeMs };
}

/** The same as the public clients read it. Wire §3, ProviderSession. */
export function toProviderSession(tokens: ProviderTokens, now: number): ProviderSession {
  const { accessToken, refreshToken, expiresAt } = tokens;
  return {
    accessToken,
    expiresIn: Math.max(0, Math.round((expiresAt - now) / 1_000)),
    expiresAt: new Date(expiresAt).toISOString(),
    ...(refreshToken === undefined ? {} : { refreshToken }),
  };
}
