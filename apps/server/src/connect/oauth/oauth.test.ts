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
} from '../../../test/connect/connected.ts';

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
    Object.assign(host.oauth.consent, { login: 'ada', agrees: true });
    host.intercept = undefined;
  }
});
afterAll(async () => {
  await gitlab.close();
  await github.close();
  await stopWithoutErrors(backend);
});

/** Opens an address and says where it leads, the console's own origin left out. */
async function follow(address: string, visitor = browser): Promise<string> {
  const { headers } = await visitor.open(address);
  return (headers.get('location') ?? '').replace(PUBLIC_URL, '');
}

/** Up to the provider, which has agreed: the address that brings the browser back. */
async function wayBack(provider = 'gitlab'): Promise<string> {
  const { url } = await ticketFor(browser, ada, provider);
  return await follow(await follow(url));
}

describe.each(['gitlab', 'github'] as const)('%s', (provider) => {
  it('is connected by a visit there', async () => {
    expect(await connectByOauth(backend, ada, provider)).toBe(`${PAGE}?connected=${provider}`);
    const host = provider === 'gitlab' ? gitlab : github;
    const values = {
      provider,
      type: 'ssh',
      auth_type: 'oauth',
      host: new URL(host.url).host,
      account_name: 'ada',
      account_id: String(host.state.person('ada').id),
      state: 'connected',
    };
    expect(await integrationsOf(backend, ada)).toMatchObject([{ values, secrets: 1 }]);
  });

  it('stays the same integration when it is connected again', async () => {
    await connectByOauth(backend, ada, provider);
    const [before] = await integrationsOf(backend, ada);
    await connectByOauth(backend, ada, provider);
    expect(await integrationsOf(backend, ada)).toEqual([before]);
  });
});

it('leaves with a state, a challenge and our own address to come back to', async () => {
  const { url } = await ticketFor(browser, ada, 'gitlab');
  const address = new URL(await follow(url));
  expect(address.origin + address.pathname).toBe(`${gitlab.url}/oauth/authorize`);
  expect(Object.fromEntries(address.searchParams)).toEqual({
    response_type: 'code',
    client_id: 'longshore',
    redirect_uri: `${PUBLIC_URL}/v1/connect/oauth/public/gitlab/callback`,
    scope: 'api',
    state: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
  });
});

it('proves with the verifier that it is who left', async () => {
  const { url } = await ticketFor(browser, ada, 'gitlab');
  const away = new URL(await follow(url));
  await follow(await follow(away.href));
  const sent = gitlab.requests.findLast(({ url }) => url.pathname === '/oauth/token');
  const verifier = new URLSearchParams(sent?.text).get('code_verifier') ?? '';
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  expect(challenge).toBe(away.searchParams.get('code_challenge'));
});

it('has tabs of one browser leave at the same time', async () => {
  const backs = [await wayBack('gitlab'), await wayBack('github')];
  for (const back of backs) expect(await follow(back)).toContain('?connected=');
});

describe('a ticket', () => {
  it('is good once', async () => {
    const { url } = await ticketFor(browser, ada, 'gitlab');
    await follow(url);
    expect(await follow(url)).toBe(EXPIRED);
  });

  it('is good for a minute', async () => {
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

  it('is no bearer, and a bearer is none', async () => {
    await ticketFor(browser, ada, 'gitlab');
    const path = '/v1/connect/oauth/gitlab/login?token=';
    for (const token of [ada.accessToken, ada.refreshToken, '', 'x'.repeat(10_000)]) {
      expect(await follow(`${path}${encodeURIComponent(token)}`)).toBe(EXPIRED);
    }
    expect(await follow('/v1/connect/oauth/gitlab/login')).toBe(EXPIRED);
  });

  it('is good in the browser that asked for it only', async () => {
    const { url } = await ticketFor(browser, ada, 'gitlab');
    const stranger = createBrowser(backend);
    expect(await follow(url, stranger)).toBe(EXPIRED);
    await ticketFor(stranger, await backend.signUp(), 'gitlab');
    expect(await follow(url, stranger)).toBe(EXPIRED);
  });

  it('is good for its provider only', async () => {
    const { url } = await ticketFor(browser, ada, 'gitlab');
    expect(await follow(url.replace('/gitlab/', '/github/'))).toBe(EXPIRED);
  });

  it('is for who is signed in', async () => {
    const answer = await backend.post('/v1/connect/oauth/tickets', { provider: 'gitlab' });
    expect(answer.status).toBe(401);
  });

  it.each(['gitea', 'dockerhub', 'google', '__proto__', ''])('is none for %j', async (provider) => {
    const answer = await backend.post('/v1/connect/oauth/tickets', { provider }, bearer(ada));
    expect(answer).toMatchObject({ status: 404, body: { error: 'not-configured' } });
  });

  it('is none for a console at another address, whose cookies would not come back', async () => {
    const headers = { ...bearer(ada), origin: 'http://127.0.0.1:1337' };
    const answer = await backend.post('/v1/connect/oauth/tickets', { provider: 'gitlab' }, headers);
    expect(answer).toMatchObject({ status: 409, body: { error: 'other-address' } });
  });
});

describe('the way back', () => {
  it('is refused with a state that nobody left with', async () => {
    const back = new URL(await wayBack(), PUBLIC_URL);
    back.searchParams.set('state', 'x'.repeat(43));
    expect(await follow(back.href)).toBe(EXPIRED);
    back.searchParams.delete('state');
    expect(await follow(back.href)).toBe(EXPIRED);
    expect(await integrationsOf(backend, ada)).toEqual([]);
  });

  it('cannot be gone twice', async () => {
    const back = await wayBack();
    expect(await follow(back)).toBe(`${PAGE}?connected=gitlab`);
    expect(await follow(back)).toBe(EXPIRED);
  });

  it('is refused with a code that was used before', async () => {
    const first = new URL(await wayBack(), PUBLIC_URL);
    await follow(first.href);
    const second = new URL(await wayBack(), PUBLIC_URL);
    second.searchParams.set('code', first.searchParams.get('code') ?? '');
    expect(await follow(second.href)).toBe(`${PAGE}?failed=refused`);
  });

  it('is refused with the code of somebody else', async () => {
    const [eve, evesBrowser] = [await backend.signUp(), createBrowser(backend)];
    const { url } = await ticketFor(evesBrowser, eve, 'gitlab');
    const evesBack = new URL(await follow(await follow(url, evesBrowser), evesBrowser), PUBLIC_URL);
    const back = new URL(await wayBack(), PUBLIC_URL);
    back.searchParams.set('code', evesBack.searchParams.get('code') ?? '');
    expect(await follow(back.href)).toBe(`${PAGE}?failed=refused`);
    expect(await integrationsOf(backend, ada)).toEqual([]);
  });

  it('is refused in another browser, and then spent', async () => {
    const back = await wayBack();
    expect(await follow(back, createBrowser(backend))).toBe(EXPIRED);
    expect(await follow(back)).toBe(EXPIRED);
  });

  it('is refused when it comes by another provider', async () => {
    const back = await wayBack('gitlab');
    expect(await follow(back.replace('/gitlab/', '/github/'))).toBe(EXPIRED);
    const { length } = github.requests.filter(({ url }) => url.pathname.includes('access_token'));
    expect(await follow(back)).toBe(EXPIRED);
    expect(github.requests.filter(({ url }) => url.pathname.includes('access_token'))).toHaveLength(
      length,
    );
  });

  it('ends after ten minutes', async () => {
    const back = await wayBack();
    await backend.pool.query(`update connect.attempts set expires_at = now() - interval '1 s'`);
    expect(await follow(back)).toBe(EXPIRED);
  });

  it('leads nowhere else, whatever the address says', async () => {
    const hostile = 'https://evil.example/';
    for (const name of ['redirect', 'redirectTo', 'redirect_uri', 'next', 'url']) {
      const { url } = await ticketFor(browser, ada, 'gitlab');
      const away = await follow(`${url}&${name}=${encodeURIComponent(hostile)}`);
      const back = await follow(away);
      expect(new URL(away).origin).toBe(gitlab.url);
      expect(await follow(`${back}&${name}=${encodeURIComponent(hostile)}`)).toBe(
        `${PAGE}?connected=gitlab`,
      );
    }
  });

  it('tells that somebody did not agree', async () => {
    gitlab.oauth.consent.agrees = false;
    expect(await connectByOauth(backend, ada, 'gitlab')).toBe(`${PAGE}?failed=denied`);
  });

  it.each([
    ['/oauth/token', 503, 'unreachable'],
    ['/oauth/token', 401, 'refused'],
    ['/api/v4/user', 502, 'unreachable'],
    ['/api/v4/user', 401, 'refused'],
    ['/api/v4/user', 429, 'unreachable'],
  ])('tells that %s answered %s', async (path, status, failed) => {
    gitlab.intercept = ({ url }) => (url.pathname === path ? { status, body: {} } : undefined);
    expect(await connectByOauth(backend, ada, 'gitlab')).toBe(`${PAGE}?failed=${failed}`);
    expect(await integrationsOf(backend, ada)).toEqual([]);
  });

  it('is told apart from a provider that nobody set up', async () => {
    expect(await follow('/v1/connect/oauth/public/gitea/callback?state=a&code=b')).toBe(
      `${PAGE}?failed=not-configured`,
    );
    expect(await follow('/v1/connect/oauth/gitea/login?token=a')).toBe(
      `${PAGE}?failed=not-configured`,
    );
  });
});

it('forgets attempts that are over', async () => {
  await ticketFor(browser, ada, 'gitlab');
  await backend.pool.query(`update connect.attempts set expires_at = now() - interval '1 s'`);
  await ticketFor(browser, ada, 'gitlab');
  await backend.connect.tidy();
  const { rows } = await backend.pool.query('select from connect.attempts');
  expect(rows).toHaveLength(1);
});
