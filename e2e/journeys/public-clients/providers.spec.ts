import { randomUUID } from 'node:crypto';
import { authError } from '@longshore/contract';
import { type OpenidHost, startOpenidHost } from '@longshore/server/testing/openid-host';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import {
  connectNhost3,
  connectNhost4,
  generatePKCEPair,
  NHOST_3,
  newEmail,
  PASSWORD,
} from '../../support/nhost.ts';
import { loadNhost } from '../../support/nhost-in-page.ts';
import { sharedBrowser } from '../../support/shared-browser.ts';
import { sharedLongshore } from '../../support/shared-longshore.ts';

const browser = sharedBrowser();
let host: OpenidHost;
const longshore = sharedLongshore(async (url) => {
  host = await startOpenidHost(url);
  return {
    LONGSHORE_REQUIRE_VERIFIED_EMAIL: 'false',
    LONGSHORE_GOOGLE_URL: host.client.url,
    LONGSHORE_GOOGLE_CLIENT_ID: host.client.clientId,
    LONGSHORE_GOOGLE_CLIENT_SECRET: host.client.clientSecret.reveal(),
  };
});
afterAll(() => host?.stop());

/** A user with an account at the provider, in a separate browser context. */
async function newProviderUser() {
  const person = { id: randomUUID(), name: 'Ada', email: newEmail(), isVerified: true };
  host.behaviour.person = person;
  host.behaviour.consents = true;
  const context = await browser.newContext();
  return { person, context, page: await context.newPage() };
}

/** Gets an ID token directly from the provider, as a mobile app does. */
async function idTokenFor(context: BrowserContext, nonce?: string): Promise<string> {
  const open = async (address: string) => {
    const response = await context.request.get(address, { maxRedirects: 0 });
    return { headers: { get: (name: string) => response.headers()[name] ?? null } };
  };
  return await host.idToken({ open }, nonce === undefined ? {} : { nonce });
}

describe.each(NHOST_3)('%s', (version) => {
  const connect = () => connectNhost3(version, longshore.url);
  const load = (page: Page, address?: string) =>
    loadNhost(page, { version, url: longshore.url, ...(address === undefined ? {} : { address }) });

  /** Starts the provider sign-in. The client leaves its page; a new client reads the parameters of the final URL. */
  async function goToProvider(page: Page, method: 'signIn' | 'connectProvider') {
    const before = await load(page);
    const options = { redirectTo: `${longshore.url}/healthz` };
    const end = page.waitForRequest((request) => isPage(new URL(request.url())));
    await before.auth(method, { provider: 'google', options }).catch(() => undefined);
    const { search } = new URL((await end).url());
    const arrived = await page.context().newPage();
    await page.close();
    const nhost = await load(arrived, `${longshore.url}/healthz${search}`);
    return { nhost, page: arrived, parameters: new URLSearchParams(search) };
  }

  const isPage = ({ origin, pathname }: URL) =>
    origin === longshore.url && !pathname.startsWith('/v1/');

  it('signs in with a provider, later with the same account', async () => {
    const { person, page } = await newProviderUser();
    const first = await goToProvider(page, 'signIn');
    expect(await first.nhost.auth<boolean>('isAuthenticatedAsync')).toBe(true);
    const user = await first.nhost.auth<{ id: string }>('getUser');
    expect(user).toMatchObject({ email: person.email, displayName: 'Ada', emailVerified: true });
    await first.page.waitForURL(({ search }) => search === '');

    await first.nhost.auth('signOut');
    const again = await goToProvider(first.page, 'signIn');
    await again.nhost.auth('isAuthenticatedAsync');
    expect(await again.nhost.auth('getUser')).toMatchObject({ id: user.id });
  });

  it('returns the error when the user denies access', async () => {
    const { page } = await newProviderUser();
    host.behaviour.consents = false;
    const { nhost, parameters } = await goToProvider(page, 'signIn');
    expect(parameters.get('error')).toBe('oauth-provider-error');
    expect(await nhost.auth<boolean>('isAuthenticatedAsync')).toBe(false);
  });

  it('links a provider to an account', async () => {
    const { page } = await newProviderUser();
    const email = newEmail();
    const before = await load(page);
    const { session } = await before.auth('signUp', { email, password: PASSWORD });
    expect(session?.user.email).toBe(email);
    await goToProvider(page, 'connectProvider');
    const otherBrowserPage = await (await browser.newContext()).newPage();
    const { nhost } = await goToProvider(otherBrowserPage, 'signIn');
    await nhost.auth('isAuthenticatedAsync');
    expect(await nhost.auth('getUser')).toMatchObject({ id: session?.user.id, email });
  });

  it('signs in with an ID token and its nonce, and is refused with another nonce', async () => {
    const { person, context } = await newProviderUser();
    const nonce = randomUUID();
    const idToken = await idTokenFor(context, nonce);
    const provider = 'google';
    const stolen = await connect().auth.signInIdToken({ provider, idToken, nonce: randomUUID() });
    expect(stolen.error).toEqual(authError('invalid-request'));
    const { session, error } = await connect().auth.signInIdToken({ provider, idToken, nonce });
    expect(error).toBeNull();
    expect(session.user).toMatchObject({ email: person.email, emailVerified: true });
  });

  it('links an ID token to an account once', async () => {
    const { context } = await newProviderUser();
    const link = { provider: 'google', idToken: await idTokenFor(context) };
    const [nhost, other] = [connect(), connect()];
    const { session } = await nhost.auth.signUp({ email: newEmail(), password: PASSWORD });
    expect(await nhost.auth.linkIdToken(link)).toMatchObject({ error: null });
    const signedIn = await connect().auth.signInIdToken(link);
    expect(signedIn.session.user.id).toBe(session.user.id);
    await other.auth.signUp({ email: newEmail(), password: PASSWORD });
    expect((await other.auth.linkIdToken(link)).error).toEqual(
      authError('provider-account-already-linked'),
    );
  });
});

describe('nhost-js 4', () => {
  const connect = () => connectNhost4(longshore.url);

  it.each(['signInProviderURL', 'signUpProviderURL'] as const)(
    'signs in with a provider by %s',
    async (url) => {
      const { person, page } = await newProviderUser();
      const nhost = connect();
      const redirectTo = `${longshore.url}/healthz`;
      await page.goto(nhost.auth[url]('google', { redirectTo }));
      const refreshToken = new URL(page.url()).searchParams.get('refreshToken');
      const { body } = await nhost.auth.refreshToken({ refreshToken });
      expect(body.user).toMatchObject({ email: person.email, emailVerified: true });
    },
  );

  it('exchanges a code and gets the provider tokens once', async () => {
    const { person, page } = await newProviderUser();
    const nhost = connect();
    const { verifier, challenge } = await generatePKCEPair();
    const options = { redirectTo: `${longshore.url}/healthz`, codeChallenge: challenge };
    await page.goto(nhost.auth.signInProviderURL('google', options));
    const code = new URL(page.url()).searchParams.get('code');
    const { body } = await nhost.auth.tokenExchange({ code, codeVerifier: verifier });
    expect(body.session.user.email).toBe(person.email);
    const tokens = await nhost.auth.getProviderTokens('google');
    expect(tokens.body).toMatchObject({
      accessToken: expect.any(String),
      expiresIn: expect.any(Number),
    });
    await expect(nhost.auth.getProviderTokens('google')).rejects.toMatchObject({ status: 400 });
  });

  it('signs up and in with an ID token and links another', async () => {
    const { person, context } = await newProviderUser();
    const idToken = { provider: 'google', idToken: await idTokenFor(context) };
    const { body } = await connect().auth.signUpIdToken(idToken);
    expect(body.session.user.email).toBe(person.email);
    const nhost = connect();
    expect((await nhost.auth.signInIdToken(idToken)).body.session.user.id).toBe(
      body.session.user.id,
    );
    const second = await newProviderUser();
    const another = { provider: 'google', idToken: await idTokenFor(second.context) };
    expect((await nhost.auth.linkIdToken(another)).body).toBe('OK');
    expect((await connect().auth.signInIdToken(another)).body.session.user.id).toBe(
      body.session.user.id,
    );
  });
});
