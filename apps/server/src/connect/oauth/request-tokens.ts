import { OAuthFailure } from '../../oauth/bounded-fetch.ts';
import * as oauth from '../../oauth/oauth-client.ts';
import { OutboundFailure, type OutboundFetch } from '../../outbound/outbound-fetch.ts';
import { Secret } from '../../secrets/secret.ts';
import type { AccountSecret } from '../accounts/account-secret.ts';
import { ProviderFailure } from '../providers/provider-failure.ts';
import type { OauthProvider } from './oauth-providers.ts';

type TokenDeps = { fetch: OutboundFetch; clock: { now(): number } };
type CodeExchange = { code: string; verifier: string; redirectUri: string };

/** Exchanges an authorization code for tokens. */
export async function exchangeCode(
  provider: OauthProvider,
  { code, verifier, redirectUri }: CodeExchange,
  { fetch, clock }: TokenDeps,
): Promise<AccountSecret> {
  const exchange = { code, codeVerifier: verifier, redirectUri };
  const tokens = await oauth.exchangeCode(provider, exchange, fetch).catch(providerFailure);
  return accountSecret(provider, tokens, clock);
}

/** Exchanges a refresh token for new tokens. `unauthorized`: the refresh token is no longer valid. */
export async function refreshTokens(
  provider: OauthProvider,
  refreshToken: Secret,
  { fetch, clock }: TokenDeps,
): Promise<AccountSecret> {
  const tokens = await oauth
    .refreshTokens(provider, refreshToken.reveal(), fetch)
    .catch(providerFailure);
  return accountSecret(provider, tokens, clock);
}

/** Printable ASCII: tokens are sent in a header. */
const HEADER_SAFE = /^[\x21-\x7e]+$/;

function accountSecret(
  { url }: OauthProvider,
  { accessToken, refreshToken, expiresInSeconds }: oauth.OAuthTokens,
  clock: TokenDeps['clock'],
): AccountSecret {
  if (!HEADER_SAFE.test(accessToken)) throw new ProviderFailure('unauthorized');
  const isRefreshable = refreshToken !== undefined && HEADER_SAFE.test(refreshToken);
  return {
    url,
    accessToken: new Secret(accessToken),
    refreshToken: isRefreshable ? new Secret(refreshToken) : undefined,
    expiresAt: expiresInSeconds === undefined ? undefined : clock.now() + expiresInSeconds * 1_000,
  };
}

function providerFailure(error: unknown): never {
  if (!(error instanceof OAuthFailure)) throw error;
  const isRefused = error.reason === 'refused' || error.reason === 'invalid-response';
  if (isRefused) throw new ProviderFailure('unauthorized', { cause: error });
  const { cause } = error;
  const isForbidden = cause instanceof OutboundFailure && cause.reason === 'not-allowed';
  throw new ProviderFailure(isForbidden ? 'not-allowed' : 'unreachable', { cause: error });
}
