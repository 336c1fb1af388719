import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Backend, startBackend } from '../../../test/backend.ts';
import { Secret } from '../../secrets/secret.ts';

const client = (url: string) => ({
  url,
  clientId: 'longshore',
  clientSecret: new Secret('hunter2'),
});

const openid = {
  issuer: 'https://accounts.example.com',
  authorization_endpoint: 'https://accounts.example.com/auth',
  token_endpoint: 'https://accounts.example.com/token',
  jwks_uri: 'https://accounts.example.com/jwks',
};

let backend: Backend;
let metadata: () => Response = () => Response.json(openid);
const requestedUrls: string[] = [];
beforeAll(async () => {
  backend = await startBackend({
    settings: {
      allowedRedirects: ['https://app.example.com'],
      providers: {
        github: client('https://github.com'),
        google: client('https://accounts.example.com'),
      },
    },
    fetch: async (url) => {
      requestedUrls.push(String(url));
      return metadata();
    },
  });
});
afterAll(async () => {
  expect(backend.errors).toEqual([]);
  await backend.stop();
});

async function startSignIn(provider: string, query: Record<string, string> = {}) {
  const path = `/v1/auth/signin/provider/${provider}?${new URLSearchParams(query)}`;
  const { status, headers, body } = await backend.request(path);
  const location = headers.get('location');
  return { status, body, headers, location: location === null ? undefined : new URL(location) };
}

describe('GET /signin/provider/{provider}', () => {
  it('redirects to the provider with a state and a challenge', async () => {
    const { status, location, headers } = await startSignIn('github');
    expect(status).toBe(302);
    expect(location?.origin).toBe('https://github.com');
    expect(location?.pathname).toBe('/login/oauth/authorize');
    expect(Object.fromEntries(location?.searchParams ?? [])).toEqual({
      response_type: 'code',
      client_id: 'longshore',
      redirect_uri: 'http://localhost:1337/v1/auth/signin/provider/github/callback',
      scope: 'read:user user:email',
      state: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('stores the attempt in an encrypted cookie with HttpOnly and SameSite', async () => {
    const { headers, location } = await startSignIn('github');
    const cookie = headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(
      /^longshore-provider=[^;]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect(cookie).not.toContain(location?.searchParams.get('state'));
  });

  it('discovers the endpoints of an issuer once', async () => {
    const { location } = await startSignIn('google');
    await startSignIn('google');
    expect(location?.href).toMatch(/^https:\/\/accounts\.example\.com\/auth\?/);
    expect(location?.searchParams.get('nonce')).toMatch(/^[\w-]{43}$/);
    expect(requestedUrls).toEqual([
      'https://accounts.example.com/.well-known/openid-configuration',
    ]);
  });

  it.each(['gitlab', 'apple', 'discord', 'constructor', '__proto__', 'GitHub', '%00'])(
    'redirects with an error when %s is disabled',
    async (provider) => {
      const redirectTo = 'https://app.example.com/login?from=here';
      const { status, location } = await startSignIn(provider, { redirectTo });
      expect(status).toBe(302);
      expect(location?.href).toBe(
        'https://app.example.com/login?from=here&error=disabled-endpoint&errorDescription=This+endpoint+is+disabled',
      );
    },
  );

  it.each(['https://evil.example.com', 'javascript:alert(1)', '//evil.example.com', 'nothing'])(
    'refuses to redirect to %s',
    async (redirectTo) => {
      const { status, body } = await startSignIn('github', { redirectTo });
      expect(status).toBe(400);
      expect(body).toMatchObject({ status: 400, error: 'redirectTo-not-allowed' });
    },
  );

  it.each<[string, Record<string, string>, string]>([
    ['a forged access token', { connect: 'forged' }, 'invalid-request'],
    ['an empty access token', { connect: '' }, 'invalid-request'],
    ['metadata that is invalid JSON', { metadata: '{' }, 'invalid-request'],
    ['metadata that is no object', { metadata: '[]' }, 'invalid-request'],
    ['metadata with a null character', { metadata: '{"a":"\\u0000"}' }, 'invalid-request'],
    ['metadata with an unpaired surrogate', { metadata: '{"a":"\\ud800"}' }, 'invalid-request'],
    [
      'metadata that does not fit into a cookie',
      { metadata: `{"a":"${'x'.repeat(5_000)}"}` },
      'invalid-request',
    ],
    ['a name with a slash', { displayName: 'a/b' }, 'invalid-request'],
    ['a long locale', { locale: 'english' }, 'invalid-request'],
    ['a role that cannot be granted', { allowedRoles: 'user,admin' }, 'role-not-allowed'],
    [
      'a default role that is not among the roles',
      { allowedRoles: 'me', defaultRole: 'user' },
      'default-role-must-be-in-allowed-roles',
    ],
  ])('redirects with an error for %s', async (_, query, code) => {
    const { status, location, headers } = await startSignIn('github', query);
    expect(status).toBe(302);
    expect(location?.origin).toBe('http://localhost:1337');
    expect(location?.searchParams.get('error')).toBe(code);
    expect(headers.get('set-cookie')).toBeNull();
  });

  it('links no account to an anonymous user', async () => {
    const { body } = await backend.post<{ session: { accessToken: string } }>(
      '/v1/auth/signin/anonymous',
      {},
    );
    const { location } = await startSignIn('github', { connect: body.session.accessToken });
    expect(location?.searchParams.get('error')).toBe('forbidden-anonymous');
  });

  it('is also served at the sign-up path and the alternative base path', async () => {
    for (const path of ['/v1/auth/signup/provider/github', '/auth/v1/signin/provider/github']) {
      const { status, headers } = await backend.request(path);
      expect(status).toBe(302);
      expect(headers.get('location')).toContain(
        encodeURIComponent('http://localhost:1337/v1/auth/signin/provider/github/callback'),
      );
    }
  });
});

describe('an issuer without usable metadata', () => {
  it.each<[string, () => Response]>([
    ['is unavailable', () => new Response('', { status: 503 })],
    ['has another identifier', () => Response.json({ ...openid, issuer: 'https://evil.example' })],
    [
      'publishes a script URL as endpoint',
      () => Response.json({ ...openid, authorization_endpoint: 'javascript:alert(1)' }),
    ],
    [
      'sends a response that is too large',
      () => Response.json({ ...openid, more: 'x'.repeat(600_000) }),
    ],
  ])('that %s is reported as a provider error', async (_, response) => {
    // The cached metadata expires after an hour.
    backend.clock.ahead += 3_601_000;
    metadata = response;
    const { location } = await startSignIn('google');
    expect(location?.searchParams.get('error')).toBe('oauth-provider-error');
    metadata = () => Response.json(openid);
    expect((await startSignIn('google')).location?.origin).toBe('https://accounts.example.com');
  });
});

describe('with https', () => {
  it('uses a cookie that only this host can set', async () => {
    const secure = await startBackend({
      settings: {
        publicUrl: 'https://longshore.example.com',
        providers: { github: client('https://github.com') },
      },
    });
    const { headers } = await secure.request('/v1/auth/signin/provider/github');
    expect(headers.get('set-cookie')).toMatch(/^__Host-longshore-provider=.*; Secure; /);
    await secure.stop();
  });
});
