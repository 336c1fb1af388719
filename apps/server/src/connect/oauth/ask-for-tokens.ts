import { z } from 'zod';
import { OutboundFailure, type OutboundFetch } from '../../outbound/outbound-fetch.ts';
import { Secret } from '../../secrets/secret.ts';
import type { AccountSecret } from '../accounts/account-secret.ts';
import { ProviderFailure } from '../providers/provider-failure.ts';
import type { OauthProvider } from './oauth-providers.ts';

type TokenDeps = { fetch: OutboundFetch; clock: { now(): number } };
type Exchange = { code: string; verifier: string; redirectUri: string };

const DEADLINE_MS = 10_000;

/** What a header can carry. */
const token = z.string().regex(/^[\x21-\x7e]+$/);
const Answer = z.object({
  access_token: token,
  refresh_token: token.optional().catch(undefined),
  expires_in: z.coerce.number().positive().optional().catch(undefined),
});

/** Trades the code a browser brought for tokens. */
export function exchangeCode(
  provider: OauthProvider,
  { code, verifier, redirectUri }: Exchange,
  deps: TokenDeps,
): Promise<AccountSecret> {
  return askForTokens(
    provider,
    {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    },
    deps,
  );
}

/** Trades a refresh token for newer ones. `unauthorized`: the provider has forgotten it. */
export function refreshTokens(
  provider: OauthProvider,
  refreshToken: Secret,
  deps: TokenDeps,
): Promise<AccountSecret> {
  const grant = { grant_type: 'refresh_token', refresh_token: refreshToken.reveal() };
  return askForTokens(provider, grant, deps);
}

async function askForTokens(
  { tokenUrl, url, clientId, clientSecret }: OauthProvider,
  grant: Record<string, string>,
  { fetch, clock }: TokenDeps,
): Promise<AccountSecret> {
  const client = { client_id: clientId, client_secret: clientSecret.reveal() };
  const response = await fetch(tokenUrl, {
    method: 'POST',
    headers: {
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
      'user-agent': 'longshore',
    },
    body: new URLSearchParams({ ...grant, ...client }).toString(),
    signal: AbortSignal.timeout(DEADLINE_MS),
  }).catch(unanswered);
  if (response.status >= 500 || response.status === 429) throw new ProviderFailure('unreachable');
  // GitHub refuses with status 200.
  const answer = Answer.safeParse(await response.json().catch(() => undefined));
  if (!response.ok || !answer.success) throw new ProviderFailure('unauthorized');
  const { access_token, refresh_token, expires_in } = answer.data;
  return {
    url,
    accessToken: new Secret(access_token),
    refreshToken: refresh_token === undefined ? undefined : new Secret(refresh_token),
    expiresAt: expires_in === undefined ? undefined : clock.now() + expires_in * 1_000,
  };
}

function unanswered(cause: unknown): never {
  const isForbidden = cause instanceof OutboundFailure && cause.reason === 'not-allowed';
  throw new ProviderFailure(isForbidden ? 'not-allowed' : 'unreachable', { cause });
}
