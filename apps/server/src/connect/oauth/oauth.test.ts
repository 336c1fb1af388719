import { createHash } from 'node:crypto';
import type { Session } from '@longshore/contract';
import { type GitHost, startGithubHost, startGitlabHost } from '@longshore/testkit/git-hosts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Browser, createBrowser } from '../../../test/auth/providers/browser.ts';
import { type Backend, bearer, startBackend, stopWithoutErrors } from '../../../test/backend.ts';
import {
  clientAt,
  connectByOauth,
  integrationsOf,
  PUBLIC_URL,
  ticketFor,
} from '../../../test/connect/oauth-connection.ts';

const PAGE = '/dashboard/integrations';
const EXPIRED = `${PAGE}?failed=expired`;

let gitlab: GitHost;
let github: GitHost;
let backend: Backend;
let ada: Session;
let browser: Browser;

beforeAll(async () => {
  [gitlab, github] = [await startGitlabHost(), await startGithubHost()];
  const oauthClients = { ...clientAt(gitlab, 'gitlab'), ...clientAt(github, 'github') };
  backend = await startBackend({ connect: { allowLocalSources: true, oauthClients } });
});
beforeEach(async () => {
  ada = await backend.signUp();
  browser = createBrowser(backend);
  for (const host of [gitlab, github]) {
    Object.assign(host.oauth.consent, { login: 'ada', isGranted: true });
    host.intercept = undefined;
  }
});
afterAll(async () => {
  await gitlab.close();
  await github.close();
  await stopWithoutErrors(backend);
});

/** Opens a URL and returns its redirect target, without the console's own origin. */
async function follow(url: string, client = browser): Promise<string> {
  const { headers } = await client.open(url);
  return (headers.get('location') ?? '').replace(PUBLIC_URL, '');
}

/** Signs in at the provider and returns the callback URL it redirects to. */
async function signInAtProvider(provider = 'gitlab'): Promise<string> {
  const { url } = await ticketFor(browser, ada, provider);
  return await follow(await follow(url));
}

describe.each(['gitlab', 'github'] as const)('%s', (provider) => {
  it('is connected by OAuth', async () => {
    expect(await connectByOauth(backend, ada, provider)).toBe(`${PAGE}?connected=${provider}`);
    const host = provider === 'gitlab' ? gitlab : github;
    const values = {
      provider,
      type: 'ssh',
      auth_type: 'oauth',
      host: new URL(host.url).host,
      account_name: 'ada',
      account_id: String(host.state.user('ada').id),
      state: 'connected',
    };
    expect(await integrationsOf(backend, ada)).toMatchObject([{ values, secrets: 1 }]);
  });

  it('keeps the same integration when it is connected again', async () => {
    await connectByOauth(backend, ada, provider);
    const [before] = await integrationsOf(backend, ada);
    await connectByOauth(backend, ada, provider);
    expect(await integrationsOf(backend, ada)).toEqual([before]);
  });
});

it('sends state, PKCE challenge and callback URL to the provider', async () => {
  const { url } = await ticketFor(browser, ada, 'gitlab');
  const authorizationUrl = new URL(await follow(url));
  expect(authorizationUrl.origin + authorizationUrl.pathname).toBe(`${gitlab.url}/oauth/authorize`);
  expect(Object.fromEntries(authorizationUrl.searchParams)).toEqual({
    response_type: 'code',
    client_id: 'longshore',
    redirect_uri: `${PUBLIC_URL}/v1/connect/oauth/public/gitlab/callback`,
    scope: 'api',
    state: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
  });
});

it('sends the PKCE verifier that matches the challenge', async () => {
  const { url } = await ticketFor(browser, ada, 'gitlab');
  const authorization = new URL(await follow(url));
  await follow(await follow(authorization.href));
  const sent = gitlab.requests.findLast(({ url }) => url.pathname === '/oauth/token');
  const verifier = new URLSearchParams(sent?.text).get('code_verifier') ?? '';
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  expect(challenge).toBe(authorization.searchParams.get('code_challenge'));
});

it('supports concurrent sign-ins in one browser', async () => {
  const callbacks = [await signInAtProvider('gitlab'), await signInAtProvider('github')];
  for (const callback of callbacks) expect(await follow(callback)).toContain('?connected=');
});

describe('a ticket', () => {
  it('can be used once', async () => {
    const { url } = await ticketFor(browser, ada, 'gitlab');
    await follow(url);
    expect(await follow(url)).toBe(EXPIRED);
  });

  it('expires after a minute', async () => {
    const { url } = await ticketFor(browser, ada, 'gitlab');
    const { rows } = await backend.pool.query(
      `select from connect.attempts where ticket_hash is not null and user_id = $1
       and expires_at between now() + interval '30 s' and now() + interval '60 s'`,
      [ada.user.id],
    );
    expect(rows).toHaveLength(1);
    await backend.pool.query(`update connect.attempts set expires_at = now() - interval '1 s'`);
    expect(await follow(url)).toBe(EXPIRED);
  });

  it('cannot be replaced by an access or refresh token', async () => {
    await ticketFor(browser, ada, 'gitlab');
    const path = '/v1/connect/oauth/gitlab/login?token=';
    for (const token of [ada.accessToken, ada.refreshToken, '', 'x'.repeat(10_000)]) {
      expect(await follow(`${path}${encodeURIComponent(token)}`)).toBe(EXPIRED);
    }
    expect(await follow('/v1/connect/oauth/gitlab/login')).toBe(EXPIRED);
  });

  it('can only be used in the browser that requested it', async () => {
    const { url } = await ticketFor(browser, ada, 'gitlab');
    const otherBrowser = createBrowser(backend);
    expect(await follow(url, otherBrowser)).toBe(EXPIRED);
    await ticketFor(otherBrowser, await backend.signUp(), 'gitlab');
    expect(await follow(url, otherBrowser)).toBe(EXPIRED);
  });

  it('can only be used for its provider', async () => {
    const { url } = await ticketFor(browser, ada, 'gitlab');
    expect(await follow(url.replace('/gitlab/', '/github/'))).toBe(EXPIRED);
  });

  it('requires an access token', async () => {
    const response = await backend.post('/v1/connect/oauth/tickets', { provider: 'gitlab' });
    expect(response.status).toBe(401);
  });

  it.each(['gitea', 'dockerhub', 'google', '__proto__', ''])(
    'is not issued for %j',
    async (provider) => {
      const response = await backend.post('/v1/connect/oauth/tickets', { provider }, bearer(ada));
      expect(response).toMatchObject({ status: 404, body: { error: 'not-configured' } });
    },
  );

  it('is not issued for a console at another origin, because its cookies would be missing', async () => {
    const headers = { ...bearer(ada), origin: 'http://127.0.0.1:1337' };
    const response = await backend.post(
      '/v1/connect/oauth/tickets',
      { provider: 'gitlab' },
      headers,
    );
    expect(response).toMatchObject({ status: 409, body: { error: 'other-address' } });
  });
});

describe('the callback', () => {
  it('is refused with an unknown state', async () => {
    const callback = new URL(await signInAtProvider(), PUBLIC_URL);
    callback.searchParams.set('state', 'x'.repeat(43));
    expect(await follow(callback.href)).toBe(EXPIRED);
    callback.searchParams.delete('state');
    expect(await follow(callback.href)).toBe(EXPIRED);
    expect(await integrationsOf(backend, ada)).toEqual([]);
  });

  it('cannot be used twice', async () => {
    const callback = await signInAtProvider();
    expect(await follow(callback)).toBe(`${PAGE}?connected=gitlab`);
    expect(await follow(callback)).toBe(EXPIRED);
  });

  it('is refused with a code that was used before', async () => {
    const first = new URL(await signInAtProvider(), PUBLIC_URL);
    await follow(first.href);
    const second = new URL(await signInAtProvider(), PUBLIC_URL);
    second.searchParams.set('code', first.searchParams.get('code') ?? '');
    expect(await follow(second.href)).toBe(`${PAGE}?failed=refused`);
  });

  it('is refused with the code of another user', async () => {
    const [eve, evesBrowser] = [await backend.signUp(), createBrowser(backend)];
    const { url } = await ticketFor(evesBrowser, eve, 'gitlab');
    const evesCallback = new URL(
      await follow(await follow(url, evesBrowser), evesBrowser),
      PUBLIC_URL,
    );
    const callback = new URL(await signInAtProvider(), PUBLIC_URL);
    callback.searchParams.set('code', evesCallback.searchParams.get('code') ?? '');
    expect(await follow(callback.href)).toBe(`${PAGE}?failed=refused`);
    expect(await integrationsOf(backend, ada)).toEqual([]);
  });

  it('is refused in another browser, and the state is used up', async () => {
    const callback = await signInAtProvider();
    expect(await follow(callback, createBrowser(backend))).toBe(EXPIRED);
    expect(await follow(callback)).toBe(EXPIRED);
  });

  it('is refused at another provider', async () => {
    const callback = await signInAtProvider('gitlab');
    expect(await follow(callback.replace('/gitlab/', '/github/'))).toBe(EXPIRED);
    const { length } = github.requests.filter(({ url }) => url.pathname.includes('access_token'));
    expect(await follow(callback)).toBe(EXPIRED);
    expect(github.requests.filter(({ url }) => url.pathname.includes('access_token'))).toHaveLength(
      length,
    );
  });

  it('expires after ten minutes', async () => {
    const callback = await signInAtProvider();
    await backend.pool.query(`update connect.attempts set expires_at = now() - interval '1 s'`);
    expect(await follow(callback)).toBe(EXPIRED);
  });

  it('redirects only to the console, whatever the URL contains', async () => {
    const hostile = 'https://evil.example/';
    for (const name of ['redirect', 'redirectTo', 'redirect_uri', 'next', 'url']) {
      const { url } = await ticketFor(browser, ada, 'gitlab');
      const authorization = await follow(`${url}&${name}=${encodeURIComponent(hostile)}`);
      const callback = await follow(authorization);
      expect(new URL(authorization).origin).toBe(gitlab.url);
      expect(await follow(`${callback}&${name}=${encodeURIComponent(hostile)}`)).toBe(
        `${PAGE}?connected=gitlab`,
      );
    }
  });

  it('reports that the user denied access', async () => {
    gitlab.oauth.consent.isGranted = false;
    expect(await connectByOauth(backend, ada, 'gitlab')).toBe(`${PAGE}?failed=denied`);
  });

  it.each([
    ['/oauth/token', 503, 'unreachable'],
    ['/oauth/token', 401, 'refused'],
    ['/api/v4/user', 502, 'unreachable'],
    ['/api/v4/user', 401, 'refused'],
    ['/api/v4/user', 429, 'unreachable'],
  ])('reports that %s responded with %s', async (path, status, failed) => {
    gitlab.intercept = ({ url }) => (url.pathname === path ? { status, body: {} } : undefined);
    expect(await connectByOauth(backend, ada, 'gitlab')).toBe(`${PAGE}?failed=${failed}`);
    expect(await integrationsOf(backend, ada)).toEqual([]);
  });

  it('reports a provider that is not configured', async () => {
    expect(await follow('/v1/connect/oauth/public/gitea/callback?state=a&code=b')).toBe(
      `${PAGE}?failed=not-configured`,
    );
    expect(await follow('/v1/connect/oauth/gitea/login?token=a')).toBe(
      `${PAGE}?failed=not-configured`,
    );
  });
});

it('deletes expired attempts', async () => {
  await ticketFor(browser, ada, 'gitlab');
  await backend.pool.query(`update connect.attempts set expires_at = now() - interval '1 s'`);
  await ticketFor(browser, ada, 'gitlab');
  await backend.connect.tidy();
  const { rows } = await backend.pool.query('select from connect.attempts');
  expect(rows).toHaveLength(1);
});
