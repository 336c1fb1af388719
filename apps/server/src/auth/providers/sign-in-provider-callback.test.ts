import { randomInt, randomUUID } from 'node:crypto';
import type { Session } from '@longshore/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Browser, createBrowser } from '../../../test/auth/providers/browser.ts';
import { startCodeHost } from '../../../test/auth/providers/code-host.ts';
import { startOpenidHost } from '../../../test/auth/providers/openid-host.ts';
import type { TestProvider } from '../../../test/auth/providers/test-provider.ts';
import { type Backend, bearer, startBackend } from '../../../test/backend.ts';

const HOSTS = {
  github: () => startCodeHost('github'),
  gitlab: () => startCodeHost('gitlab'),
  google: startOpenidHost,
};

describe.each(['github', 'gitlab', 'google'] as const)('signing in with %s', (name) => {
  let host: TestProvider;
  let backend: Backend;
  let browser: Browser;
  beforeAll(async () => {
    host = await HOSTS[name]();
    backend = await startBackend({ settings: { providers: { [name]: host.client } } });
  });
  afterAll(async () => {
    expect(backend.errors).toEqual([]);
    await backend.stop();
    await host.stop();
  });
  beforeEach(() => {
    browser = createBrowser(backend);
    host.behaviour.consents = true;
    switchPerson();
  });

  const start = `/v1/auth/signin/provider/${name}`;

  /** Signs another person in at the provider. */
  function switchPerson(changes: Partial<TestProvider['behaviour']['person']> = {}) {
    const id = String(randomInt(1_000_000_000));
    const email = `${randomUUID()}@example.com`;
    host.behaviour.person = { id, name: 'Ada Lovelace', email, isVerified: true, ...changes };
    return host.behaviour.person;
  }

  async function sessionOf(address: URL): Promise<Session> {
    const refreshToken = address.searchParams.get('refreshToken');
    const { status, body } = await backend.post<Session>('/v1/auth/token', { refreshToken });
    expect(status).toBe(200);
    return body;
  }

  /** Signs in at the provider and returns the callback URL without opening it. */
  async function requestCallbackUrl(address = start): Promise<string> {
    let next = new URL(address, 'http://localhost:1337').href;
    while (!next.includes('/callback?')) {
      const response = await browser.open(next);
      next = new URL(response.headers.get('location') ?? '', next).href;
    }
    return next;
  }

  async function countUsers(): Promise<number> {
    const users = await backend.db.selectFrom('auth.users').select('id').execute();
    return users.length;
  }

  const kinds = async (userId: string) =>
    (
      await backend.db
        .selectFrom('auth.events')
        .select('kind')
        .where('user_id', '=', userId)
        .orderBy('id')
        .execute()
    ).map(({ kind }) => kind);

  it('creates a new user and redirects with a refresh token', async () => {
    const person = host.behaviour.person;
    const end = await browser.followRedirects(
      `${start}?redirectTo=http://localhost:1337/dashboard?tab=1`,
    );
    expect(end.pathname).toBe('/dashboard');
    expect([...end.searchParams.keys()]).toEqual(['tab', 'refreshToken']);
    const { user } = await sessionOf(end);
    expect(user).toMatchObject({
      email: person.email,
      emailVerified: true,
      displayName: 'Ada Lovelace',
      roles: ['user', 'me'],
    });
    expect(await kinds(user?.id ?? '')).toEqual(['signed-up', 'signed-in']);
  });

  it('finds the user of the account again after its address changed', async () => {
    const first = await sessionOf(await browser.followRedirects(start));
    host.behaviour.person = { ...host.behaviour.person, email: 'moved@example.com' };
    const again = await sessionOf(await createBrowser(backend).followRedirects(start));
    expect(again.user?.id).toBe(first.user?.id);
    expect(again.user?.email).toBe(first.user?.email);
  });

  it('applies the sign-up options of the query and returns the caller’s state', async () => {
    const query = new URLSearchParams({
      displayName: 'Countess',
      locale: 'de',
      metadata: '{"team":"engines"}',
      allowedRoles: 'user,me',
      defaultRole: 'user',
      state: 'mine',
    });
    const end = await browser.followRedirects(`${start}?${query}`);
    expect(end.searchParams.get('state')).toBe('mine');
    expect((await sessionOf(end)).user).toMatchObject({
      displayName: 'Countess',
      locale: 'de',
      metadata: { team: 'engines' },
    });
  });

  it('links an account to the existing user with the same verified address', async () => {
    const existing = await backend.signUp(host.behaviour.person.email);
    await backend.db
      .updateTable('auth.users')
      .set({ email_verified: true })
      .where('id', '=', existing.user?.id ?? '')
      .execute();
    const { user } = await sessionOf(await browser.followRedirects(start));
    expect(user?.id).toBe(existing.user?.id);
    const { status } = await backend.post('/v1/auth/signin/email-password', {
      email: host.behaviour.person.email,
      password: 'correct horse',
    });
    expect(status).toBe(200);
    expect(await kinds(user?.id ?? '')).toContain('provider-linked');
  });

  it('removes the credentials of another person who signed up with the address before', async () => {
    const { email } = host.behaviour.person;
    const squatter = await backend.signUp(email);
    const { user } = await sessionOf(await browser.followRedirects(start));
    expect(user).toMatchObject({ id: squatter.user?.id, emailVerified: true });
    const byPassword = { email, password: 'correct horse' };
    const tries = [
      await backend.post('/v1/auth/signin/email-password', byPassword),
      await backend.post('/v1/auth/token', { refreshToken: squatter.refreshToken }),
    ];
    expect(tries.map(({ status }) => status)).toEqual([401, 401]);
  });

  it('does not link an account whose address the provider has not verified', async () => {
    const { email } = switchPerson({ isVerified: false });
    await backend.signUp(email);
    const end = await browser.followRedirects(start);
    expect(Object.fromEntries(end.searchParams)).toEqual({
      error: 'unverified-user',
      errorDescription: 'User is not verified.',
    });
    const links = await backend.db
      .selectFrom('auth.provider_accounts')
      .select('user_id')
      .where('account_id', '=', host.behaviour.person.id)
      .execute();
    expect(links).toEqual([]);
  });

  it('creates an unverified user for an unverified address', async () => {
    switchPerson({ isVerified: false });
    const { user } = await sessionOf(await browser.followRedirects(start));
    expect(user?.emailVerified).toBe(false);
  });

  it('creates one user for two simultaneous first sign-ins', async () => {
    const before = await countUsers();
    const ends = await Promise.all([1, 2].map(() => createBrowser(backend).followRedirects(start)));
    const sessions = await Promise.all(ends.map(sessionOf));
    expect(new Set(sessions.map(({ user }) => user?.id)).size).toBe(1);
    expect(await countUsers()).toBe(before + 1);
  });

  it('refuses a disabled user', async () => {
    const { user } = await sessionOf(await browser.followRedirects(start));
    await backend.db
      .updateTable('auth.users')
      .set({ disabled: true })
      .where('id', '=', user?.id ?? '')
      .execute();
    const end = await createBrowser(backend).followRedirects(start);
    expect(end.searchParams.get('error')).toBe('disabled-user');
    expect(end.searchParams.has('refreshToken')).toBe(false);
  });

  it('links an account to the caller, without a new session', async () => {
    const session = await backend.signUp();
    const end = await browser.followRedirects(`${start}?connect=${session.accessToken}`);
    expect([...end.searchParams.keys()]).toEqual([]);
    const { user } = await sessionOf(await createBrowser(backend).followRedirects(start));
    expect(user?.id).toBe(session.user?.id);
    expect(await kinds(user?.id ?? '')).toContain('provider-linked');
  });

  it('links no account if the caller signed out or was disabled at the provider', async () => {
    const ends: ((session: Session) => Promise<unknown>)[] = [
      ({ refreshToken }) => backend.post('/v1/auth/signout', { refreshToken }),
      ({ user }) =>
        backend.db
          .updateTable('auth.users')
          .set({ disabled: true })
          .where('id', '=', user.id)
          .execute(),
    ];
    for (const endSession of ends) {
      const session = await backend.signUp();
      const callbackUrl = await requestCallbackUrl(`${start}?connect=${session.accessToken}`);
      await endSession(session);
      const { headers } = await browser.open(callbackUrl);
      expect(headers.get('location')).toMatch(/[?&]error=(?:unauthorized|disabled-user)&/);
      expect(await kinds(session.user.id)).not.toContain('provider-linked');
    }
  });

  it('does not link an account that is already linked', async () => {
    await browser.followRedirects(start);
    const session = await backend.signUp();
    const end = await createBrowser(backend).followRedirects(
      `${start}?connect=${session.accessToken}`,
    );
    expect(Object.fromEntries(end.searchParams)).toEqual({
      error: 'provider-account-already-linked',
      errorDescription: 'This provider account is already linked to a user',
    });
    const { status } = await backend.request('/v1/auth/user', { headers: bearer(session) });
    expect(status).toBe(200);
  });

  it('forwards the provider’s error when consent is denied', async () => {
    host.behaviour.consents = false;
    const end = await browser.followRedirects(start);
    expect(Object.fromEntries(end.searchParams)).toEqual({
      error: 'oauth-provider-error',
      errorDescription: 'Provider returned an error',
      provider_error: 'access_denied',
      provider_error_description: 'The user has denied access',
    });
  });

  it.each<[string, (callback: string) => Promise<URL> | URL]>([
    [
      'another state',
      (callback) => {
        const address = new URL(callback);
        address.searchParams.set('state', 'guessed');
        return address;
      },
    ],
    [
      'no state',
      (callback) => {
        const address = new URL(callback);
        address.searchParams.delete('state');
        return address;
      },
    ],
    [
      'another browser',
      (callback) => {
        browser = createBrowser(backend);
        return new URL(callback);
      },
    ],
    [
      'a changed cookie',
      (callback) => {
        browser.cookies('http://localhost:1337').set('longshore-provider', 'AAAA');
        return new URL(callback);
      },
    ],
    [
      'an expired attempt',
      (callback) => {
        backend.clock.ahead += 601_000;
        return new URL(callback);
      },
    ],
  ])('refuses %s', async (_, change) => {
    const before = await countUsers();
    const address = await change(await requestCallbackUrl());
    const end = await browser.followRedirects(address.href);
    backend.clock.ahead = 0;
    expect(end.pathname).toBe('/');
    expect(end.searchParams.get('error')).toBe('invalid-state');
    expect(end.searchParams.get('errorDescription')).toBe('Invalid state');
    expect(end.searchParams.get('provider_state')).toBe(address.searchParams.get('state'));
    expect(await countUsers()).toBe(before);
  });

  it('refuses a second callback, with and without the cookie', async () => {
    const callback = await requestCallbackUrl();
    const cookies = new Map(browser.cookies('http://localhost:1337'));
    await sessionOf(await browser.followRedirects(callback));
    const without = await browser.followRedirects(callback);
    expect(without.searchParams.get('error')).toBe('invalid-state');
    for (const [key, value] of cookies) browser.cookies('http://localhost:1337').set(key, value);
    const replayed = await browser.followRedirects(callback);
    expect(Object.fromEntries(replayed.searchParams)).toEqual({
      error: 'oauth-token-echange-failed',
      errorDescription: 'Failed to exchange token',
    });
  });

  it('refuses a code that was issued to another browser', async () => {
    const stolen = new URL(await requestCallbackUrl()).searchParams.get('code') ?? '';
    browser = createBrowser(backend);
    const own = new URL(await requestCallbackUrl());
    own.searchParams.set('code', stolen);
    const end = await browser.followRedirects(own.href);
    expect(end.searchParams.get('error')).toBe('oauth-token-echange-failed');
  });

  it('accepts the callback as a form', async () => {
    const callback = new URL(await requestCallbackUrl());
    const response = await browser.open(callback.origin + callback.pathname, {
      method: 'POST',
      body: callback.search.slice(1),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(response.status).toBe(303);
    await sessionOf(await browser.followRedirects(response.headers.get('location') ?? ''));
  });
});

describe('a server that requires verified addresses', () => {
  it('creates no user for an unverified address', async () => {
    const host = await startCodeHost('gitlab');
    host.behaviour.person.isVerified = false;
    const backend = await startBackend({
      settings: { requireVerifiedEmail: true, providers: { gitlab: host.client } },
    });
    const end = await createBrowser(backend).followRedirects('/v1/auth/signin/provider/gitlab');
    expect(end.searchParams.get('error')).toBe('unverified-user');
    expect(await backend.db.selectFrom('auth.users').select('id').execute()).toEqual([]);
    expect(backend.errors).toEqual([]);
    await backend.stop();
    await host.stop();
  });
});

describe('provider failures', () => {
  it.each<[string, string, (url: string) => Response | undefined]>([
    ['closes the connection', 'oauth-token-echange-failed', () => undefined],
    ['sends no JSON', 'oauth-token-echange-failed', () => new Response('<html>')],
    ['sends a list', 'oauth-token-echange-failed', () => Response.json([])],
    [
      'sends no account id',
      'oauth-profile-fetch-failed',
      (url) => (url.endsWith('/token') ? Response.json({ access_token: 'a' }) : Response.json({})),
    ],
    [
      'sends a number as token',
      'oauth-token-echange-failed',
      () => Response.json({ access_token: 1 }),
    ],
    [
      'sends an account id with a null character',
      'oauth-profile-fetch-failed',
      (url) => Response.json(url.endsWith('/token') ? { access_token: 'a' } : { sub: 'a\0b' }),
    ],
  ])('a provider that %s is reported as %s', async (_, code, respond) => {
    const host = await startCodeHost('gitlab');
    const backend = await startBackend({
      settings: { providers: { gitlab: host.client } },
      fetch: async (url) => {
        const response = respond(String(url));
        if (response === undefined) throw new TypeError('fetch failed');
        return response;
      },
    });
    const end = await createBrowser(backend).followRedirects('/v1/auth/signin/provider/gitlab');
    expect(end.searchParams.get('error')).toBe(code);
    expect(backend.errors).toEqual([]);
    await backend.stop();
    await host.stop();
  });
});
