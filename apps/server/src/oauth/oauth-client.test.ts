import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Secret } from '../secrets/secret.ts';
import { authorizationUrl, exchangeCode, type OAuthTokens, refreshTokens } from './oauth-client.ts';

const client = {
  authorizationEndpoint: 'http://provider.example/authorize?tenant=1',
  tokenEndpoint: 'http://provider.example/token',
  clientId: 'longshore',
  clientSecret: new Secret('hunter2'),
};
const VERIFIER = 'v'.repeat(43);

type Sent = { url: string; method: string | undefined; form: Record<string, string> };

function respondWith(body: unknown, status = 200) {
  const requests: Sent[] = [];
  const fetch = async (url: string, { method, body: form }: { method?: string; body?: string }) => {
    requests.push({ url, method, form: Object.fromEntries(new URLSearchParams(form)) });
    return Response.json(body, { status });
  };
  return { fetch, requests };
}

function exchange(body: unknown, status?: number): Promise<OAuthTokens> {
  const redirectUri = 'http://localhost/callback';
  return exchangeCode(
    client,
    { code: 'c', codeVerifier: VERIFIER, redirectUri },
    respondWith(body, status).fetch,
  );
}

it('starts the code flow with PKCE and keeps the query of the endpoint', async () => {
  const url = new URL(
    await authorizationUrl(client, {
      redirectUri: 'http://localhost/callback',
      scope: 'a b',
      state: 's',
      codeVerifier: VERIFIER,
      nonce: 'n',
    }),
  );
  expect(Object.fromEntries(url.searchParams)).toEqual({
    tenant: '1',
    response_type: 'code',
    client_id: 'longshore',
    redirect_uri: 'http://localhost/callback',
    scope: 'a b',
    state: 's',
    code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
    code_challenge_method: 'S256',
    nonce: 'n',
  });
});

it('sends the code with its verifier and the client secret, over http too', async () => {
  const { fetch, requests } = respondWith({ access_token: 'a', token_type: 'Bearer' });
  const redirectUri = 'http://localhost/callback';
  await exchangeCode(client, { code: 'c', codeVerifier: VERIFIER, redirectUri }, fetch);
  const form = {
    grant_type: 'authorization_code',
    code: 'c',
    code_verifier: VERIFIER,
    redirect_uri: redirectUri,
    client_id: 'longshore',
    client_secret: 'hunter2',
  };
  expect(requests).toEqual([{ url: client.tokenEndpoint, method: 'POST', form }]);
});

it('sends a refresh token', async () => {
  const { fetch, requests } = respondWith({ access_token: 'b', refresh_token: 's' });
  const tokens = await refreshTokens(client, 'r', fetch);
  expect(tokens).toMatchObject({ accessToken: 'b', refreshToken: 's' });
  expect(requests[0]?.form).toEqual({
    grant_type: 'refresh_token',
    refresh_token: 'r',
    client_id: 'longshore',
    client_secret: 'hunter2',
  });
});

describe('a token response', () => {
  it.each<[string, object, Partial<OAuthTokens>]>([
    [
      'all fields',
      { access_token: 'a', token_type: 'bearer', refresh_token: 'r', expires_in: 3_600 },
      { refreshToken: 'r', expiresInSeconds: 3_600 },
    ],
    ['a lifetime as text', { access_token: 'a', expires_in: '60' }, { expiresInSeconds: 60 }],
    ['no lifetime, like GitHub', { access_token: 'a' }, {}],
    ['an invalid lifetime', { access_token: 'a', expires_in: 'soon' }, {}],
    ['an invalid refresh token', { access_token: 'a', refresh_token: 7 }, {}],
    ['an empty refresh token', { access_token: 'a', refresh_token: '' }, {}],
    ['an ID token, unverified', { access_token: 'a', id_token: 'x.y.z' }, { idToken: 'x.y.z' }],
  ])('with %s is read', async (_, body, fields) => {
    const none = { refreshToken: undefined, expiresInSeconds: undefined, idToken: undefined };
    expect(await exchange(body)).toEqual({ accessToken: 'a', ...none, ...fields });
  });

  it.each<[string, unknown, number, string]>([
    ['no access token', { token_type: 'bearer' }, 200, 'invalid-response'],
    ['a number as access token', { access_token: 1 }, 200, 'invalid-response'],
    ['a list', [], 200, 'invalid-response'],
    ['an error with status 200, like GitHub', { error: 'bad_code' }, 200, 'refused'],
    ['an error with status 400', { error: 'invalid_grant' }, 400, 'refused'],
    ['status 503', {}, 503, 'unavailable'],
  ])('with %s fails', async (_, body, status, reason) => {
    await expect(exchange(body, status)).rejects.toMatchObject({ name: 'OAuthFailure', reason });
  });

  it('is not part of the error, which would reveal tokens', async () => {
    const error = await exchange({ access_token: 1, refresh_token: 'r' }).catch((it) => it);
    expect(error).toMatchObject({ name: 'OAuthFailure', reason: 'invalid-response' });
    expect(error.cause).toBeUndefined();
  });
});
