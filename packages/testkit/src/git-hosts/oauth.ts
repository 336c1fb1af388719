import { createHash, randomBytes } from 'node:crypto';
import type { HostState } from './host-state.ts';

export type OauthApp = { clientId: string; clientSecret: string; redirectUris: string[] };

type Grant = { login: string; redirectUri: string; challenge: string };

const LIFETIME_SECONDS = 7_200;

/** The user who is signed in at the code host, and whether they authorise the app. */
export type Consent = { login: string; isGranted: boolean };

export type OauthResponse = { status: number; body: Record<string, unknown> };

/** OAuth 2 with PKCE, as in code hosts: each code and refresh token can be used once. */
export function createOauth(state: HostState, { hasRefreshTokens }: { hasRefreshTokens: boolean }) {
  const app: OauthApp = {
    clientId: 'longshore',
    clientSecret: 'longshore-client-secret',
    redirectUris: [],
  };
  const consent: Consent = { login: 'ada', isGranted: true };
  const codes = new Map<string, Grant>();
  const refreshTokens = new Map<string, { login: string; accessToken: string }>();

  function issue(login: string): OauthResponse {
    const accessToken = state.issueToken(login, 'oauth-');
    const body = { access_token: accessToken, token_type: 'bearer', scope: 'api' };
    if (!hasRefreshTokens) return { status: 200, body };
    const refreshToken = randomBytes(20).toString('hex');
    refreshTokens.set(refreshToken, { login, accessToken });
    const createdAtSeconds = Math.floor(Date.now() / 1_000);
    return {
      status: 200,
      body: {
        ...body,
        expires_in: LIFETIME_SECONDS,
        refresh_token: refreshToken,
        created_at: createdAtSeconds,
      },
    };
  }

  return {
    app,
    consent,
    refreshTokens,
    /** The URL that the browser is redirected to; undefined for an unknown client. */
    authorize(query: URLSearchParams): string | undefined {
      const redirectUri = query.get('redirect_uri') ?? '';
      const isClient =
        query.get('client_id') === app.clientId && app.redirectUris.includes(redirectUri);
      if (!isClient) return undefined;
      const redirectUrl = new URL(redirectUri);
      redirectUrl.searchParams.set('state', query.get('state') ?? '');
      if (consent.isGranted) {
        const code = randomBytes(20).toString('hex');
        const challenge = query.get('code_challenge') ?? '';
        codes.set(code, { login: consent.login, redirectUri, challenge });
        redirectUrl.searchParams.set('code', code);
      } else {
        redirectUrl.searchParams.set('error', 'access_denied');
        redirectUrl.searchParams.set('error_description', 'The resource owner denied the request.');
      }
      return redirectUrl.href;
    },
    token(form: URLSearchParams): OauthResponse {
      const isClient =
        form.get('client_id') === app.clientId && form.get('client_secret') === app.clientSecret;
      if (!isClient) return errorResponse('invalid_client', 401);
      if (form.get('grant_type') === 'refresh_token') {
        const refreshToken = form.get('refresh_token') ?? '';
        const grant = refreshTokens.get(refreshToken);
        refreshTokens.delete(refreshToken);
        if (grant === undefined) return errorResponse('invalid_grant');
        state.revokeToken(grant.accessToken);
        return issue(grant.login);
      }
      const code = form.get('code') ?? '';
      const grant = codes.get(code);
      codes.delete(code);
      const verifier = form.get('code_verifier') ?? '';
      const challenge = createHash('sha256').update(verifier).digest('base64url');
      const isValid =
        grant?.redirectUri === form.get('redirect_uri') &&
        (grant?.challenge === '' || grant?.challenge === challenge);
      return grant !== undefined && isValid ? issue(grant.login) : errorResponse('invalid_grant');
    },
    /** Returns whether the client is known. Unknown tokens are ignored. */
    revoke(form: URLSearchParams): boolean {
      const isClient =
        form.get('client_id') === app.clientId && form.get('client_secret') === app.clientSecret;
      if (isClient) state.revokeToken(form.get('token') ?? '');
      return isClient;
    },
  };
}

export type Oauth = ReturnType<typeof createOauth>;

function errorResponse(error: string, status = 400): OauthResponse {
  return { status, body: { error, error_description: 'The provided grant is invalid.' } };
}
