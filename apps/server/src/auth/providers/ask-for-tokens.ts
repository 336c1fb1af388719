import type { OAuth2Tokens } from 'arctic';
import { askProvider, ProviderFailure } from './ask-provider.ts';
import type { Provider } from './provider.ts';

type Exchange = { code: string; verifier: string; redirectUri: string };

/** Trades the code a browser brought for tokens. */
export function exchangeCode(
  provider: Provider,
  fetch: typeof globalThis.fetch,
  { code, verifier, redirectUri }: Exchange,
): Promise<OAuth2Tokens> {
  return askForTokens(provider, fetch, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  });
}

/** Trades a provider's refresh token for newer ones. */
export function refreshTokens(
  provider: Provider,
  fetch: typeof globalThis.fetch,
  refreshToken: string,
): Promise<OAuth2Tokens> {
  return askForTokens(provider, fetch, {
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
  });
}

/** Arctic's own request has no deadline, so this one is ours. */
async function askForTokens(
  { client, endpoints }: Provider,
  fetch: typeof globalThis.fetch,
  grant: Record<string, string>,
): Promise<OAuth2Tokens> {
  const answer = await askProvider(fetch, (await endpoints()).token, {
    method: 'POST',
    body: new URLSearchParams({
      ...grant,
      client_id: client.clientId,
      client_secret: client.clientSecret.reveal(),
    }),
  });
  // GitHub refuses with status 200.
  if (typeof answer !== 'object' || answer === null || 'error' in answer)
    throw new ProviderFailure('refused to give tokens');
  const arctic = await import('arctic');
  return new arctic.OAuth2Tokens(answer);
}
