import { createHash, randomBytes } from 'node:crypto';
import type { HostState } from './host-state.ts';

export type OauthApp = { clientId: string; clientSecret: string; redirectUris: string[] };

type Grant = { login: string; redirectUri: string; challenge: string };

const LIFETIME_SECONDS = 7_200;

/** The user who is asked for consent, and whether they agree. */
export type Consent = { login: string; agrees: boolean };

export type OauthResponse = { status: number; body: Record<string, unknown> };

/** OAuth 2 with PKCE. Codes and refresh tokens can be used once. */
export function createOauth(state: HostState, { hasRefresh }: { hasRefresh: boolean }) {
  const app: OauthApp = { clientId: 'longshore', clientSecret: 'of-longshore', redirectUris: [] };
  const consent: Consent = { login: 'ada', agrees: true };
  const codes = new Map<string, Grant>();
  const refreshTokens = new Map<string, { login: string; accessToken: string }>();

  function issue(login: string): OauthResponse {
    const accessToken = state.issueToken(login, 'oauth-');
    const body = { access_token: accessToken, token_type: 'bearer', scope: 'api' };
    if (!hasRefresh) return { status: 200, body };
    const refreshToken = randomBytes(20).toString('hex');
    refreshTokens.set(refreshToken, { login, accessToken });
    const created = Math.floor(Date.now() / 1_000);
    return {
      status: 200,
      body: {
        ...body,
        expires_in: LIFETIME_SECONDS,
        refresh_token: refreshToken,
        created_at: created,
      },
    };
  }

  return {
    app,
    consent,
    refreshTokens,
    /** The redirect after the consent; undefined for an unknown client. */
    authorize(query: URLSearchParams): string | undefined {
      const redirectUri = query.get('redirect_uri') ?? '';
      const isKnown =
        query.get('client_id') === app.clientId && app.redirectUris.includes(redirectUri);
      if (!isKnown) return undefined;
      const back = new URL(redirectUri);
      back.searchParams.set('state', query.get('state') ?? '');
      if (consent.agrees) {
        const code = randomBytes(20).toString('hex');
        const challenge = query.get('code_challenge') ?? '';
        codes.set(code, { login: consent.login, redirectUri, challenge });
        back.searchParams.set('code', code);
      } else {
        back.searchParams.set('error', 'access_denied');
        back.searchParams.set('error_description', 'The resource owner denied the request.');
      }
      return back.href;
    },
    token(form: URLSearchParams): OauthResponse {
      const isClient =
        form.get('client_id') === app.clientId && form.get('client_secret') === app.clientSecret;
      if (!isClient) return refusal('invalid_client', 401);
      if (form.get('grant_type') === 'refresh_token') {
        const given = form.get('refresh_token') ?? '';
        const grant = refreshTokens.get(given);
        refreshTokens.delete(given);
        if (grant === undefined) return refusal('invalid_grant');
        state.revokeToken(grant.accessToken);
        return issue(grant.login);
      }
      const code = form.get('code') ?? '';
      const grant = codes.get(code);
      codes.delete(code);
      const verifier = form.get('code_verifier') ?? '';
      const challenge = createHash('sha256').update(verifier).digest('base64url');
      const isGood =
        grant?.redirectUri === form.get('redirect_uri') &&
        (grant?.challenge === '' || grant?.challenge === challenge);
      return grant !== undefined && isGood ? issue(grant.login) : refusal('invalid_grant');
    },
    /** Returns whether the client is known. Ignores an unknown token. */
    revoke(form: URLSearchParams): boolean {
      const isClient =
        form.get('client_id') === app.clientId && form.get('client_secret') === app.clientSecret;
      if (isClient) state.revokeToken(form.get('token') ?? '');
      return isClient;
    },
  };
}

export type Oauth = ReturnType<typeof createOauth>;

function refusal(error: string, status = 400): OauthResponse {
  return { status, body: { error, error_description: 'The provided grant is invalid.' } };
}
