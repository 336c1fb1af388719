import type { AuthorizationServer, Client, TokenEndpointResponse } from 'oauth4webapi';
import { z } from 'zod';
import type { Secret } from '../secrets/secret.ts';
import { boundedFetch, OAuthFailure, type ProviderFetch, readJson } from './bounded-fetch.ts';

/** Longshore as a client of a provider: the provider's endpoints and Longshore's registration there. */
export type OAuthClient = {
  authorizationEndpoint: string;
  tokenEndpoint: string;
  clientId: string;
  clientSecret: Secret;
};

export type OAuthTokens = {
  accessToken: string;
  refreshToken: string | undefined;
  /** Undefined: the provider sends no lifetime. */
  expiresInSeconds: number | undefined;
  /** Not verified here: `OpenIdIssuer` verifies ID tokens. */
  idToken: string | undefined;
};

type AuthorizationRequest = {
  redirectUri: string;
  scope: string;
  state: string;
  codeVerifier: string;
  nonce?: string | undefined;
};

/** The URL that starts the authorization code flow with PKCE in a browser. */
export async function authorizationUrl(
  { authorizationEndpoint, clientId }: OAuthClient,
  { redirectUri, scope, state, codeVerifier, nonce }: AuthorizationRequest,
): Promise<string> {
  const { calculatePKCECodeChallenge } = await import('oauth4webapi');
  const url = new URL(authorizationEndpoint);
  url.searchParams.set('response_type', 'code');
  url.searchParams.set('client_id', clientId);
  url.searchParams.set('redirect_uri', redirectUri);
  url.searchParams.set('scope', scope);
  url.searchParams.set('state', state);
  url.searchParams.set('code_challenge', await calculatePKCECodeChallenge(codeVerifier));
  url.searchParams.set('code_challenge_method', 'S256');
  if (nonce !== undefined) url.searchParams.set('nonce', nonce);
  return url.href;
}

type CodeExchange = { code: string; codeVerifier: string; redirectUri: string };

/** Exchanges an authorization code for tokens. The caller must have checked the `state` of the callback. */
export async function exchangeCode(
  client: OAuthClient,
  { code, codeVerifier, redirectUri }: CodeExchange,
  fetch: ProviderFetch,
): Promise<OAuthTokens> {
  const oauth = await import('oauth4webapi');
  const { server, registration } = libraryTypes(client);
  return await withOAuthFailures(async () => {
    const parameters = new URLSearchParams({ code });
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      registration,
      oauth.ClientSecretPost(client.clientSecret.reveal()),
      oauth.validateAuthResponse(server, registration, parameters),
      redirectUri,
      codeVerifier,
      await requestOptions(fetch),
    );
    return await readTokens(response, (conforming) =>
      oauth.processAuthorizationCodeResponse(server, registration, conforming),
    );
  });
}

/** Exchanges a refresh token for new tokens. */
export async function refreshTokens(
  client: OAuthClient,
  refreshToken: string,
  fetch: ProviderFetch,
): Promise<OAuthTokens> {
  const oauth = await import('oauth4webapi');
  const { server, registration } = libraryTypes(client);
  return await withOAuthFailures(async () => {
    const response = await oauth.refreshTokenGrantRequest(
      server,
      registration,
      oauth.ClientSecretPost(client.clientSecret.reveal()),
      refreshToken,
      await requestOptions(fetch),
    );
    return await readTokens(response, (conforming) =>
      oauth.processRefreshTokenResponse(server, registration, conforming),
    );
  });
}

/**
 * Plain HTTP is allowed: operators run providers in private networks, and the `fetch` passed decides which hosts are
 * allowed.
 */
export async function requestOptions(fetch: ProviderFetch) {
  const { allowInsecureRequests, customFetch } = await import('oauth4webapi');
  return {
    headers: { 'user-agent': 'longshore' },
    [allowInsecureRequests]: true,
    [customFetch]: (
      url: string,
      request: { method: string; headers: Record<string, string>; body?: unknown },
    ) =>
      boundedFetch(fetch, url, {
        method: request.method,
        headers: request.headers,
        ...(request.body === undefined ? {} : { body: String(request.body) }),
      }),
  };
}

function libraryTypes({ authorizationEndpoint, tokenEndpoint, clientId }: OAuthClient) {
  const server: AuthorizationServer = {
    issuer: new URL(tokenEndpoint).origin,
    authorization_endpoint: authorizationEndpoint,
    token_endpoint: tokenEndpoint,
  };
  const registration: Client = { client_id: clientId };
  return { server, registration };
}

/**
 * Providers deviate from RFC 6749: some leave out `token_type` or send unusable optional fields. All tokens are used
 * as bearer tokens.
 */
const TokenBody = z.looseObject({
  error: z.unknown().optional(),
  token_type: z
    .unknown()
    .optional()
    .transform(() => 'bearer'),
  refresh_token: z.string().min(1).optional().catch(undefined),
  expires_in: z.coerce.number().positive().optional().catch(undefined),
  id_token: z.string().optional().catch(undefined),
});

async function readTokens(
  response: Response,
  process: (conforming: Response) => Promise<TokenEndpointResponse>,
): Promise<OAuthTokens> {
  const body = TokenBody.safeParse(await readJson(response));
  if (!body.success)
    throw new OAuthFailure(
      'invalid-response',
      'The provider sent a token response that is no object',
    );
  // Without the ID token: the library would verify it against an issuer that GitHub and GitLab clients do not
  // configure.
  const { id_token, ...rest } = body.data;
  const tokens = await process(Response.json(rest, { status: statusOf(response, rest) }));
  return {
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token,
    expiresInSeconds: tokens.expires_in,
    idToken: id_token,
  };
}

/** GitHub sends errors with status 200. */
function statusOf(response: Response, { error }: { error?: unknown }): number {
  if (!response.ok) return response.status;
  return error === undefined ? 200 : 400;
}

/** Drops the library's `cause`, which holds the response with its tokens. */
export async function withOAuthFailures<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    if (error instanceof OAuthFailure) throw error;
    const { ResponseBodyError } = await import('oauth4webapi');
    if (error instanceof ResponseBodyError)
      throw new OAuthFailure('refused', `The provider refused the request: ${error.error}`);
    throw new OAuthFailure('invalid-response', error instanceof Error ? error.message : '');
  }
}
