import { createHash, randomUUID } from 'node:crypto';
import type { Session } from '@longshore/contract';
import { decodeJwt, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Browser, createBrowser } from '../../../test/auth/providers/browser.ts';
import { type OpenidHost, startOpenidHost } from '../../../test/auth/providers/openid-host.ts';
import { type Backend, startBackend } from '../../../test/backend.ts';

let host: OpenidHost;
let backend: Backend;
let browser: Browser;
const requestedPaths: string[] = [];
beforeAll(async () => {
  host = await startOpenidHost();
  backend = await startBackend({
    settings: { providers: { google: host.client } },
    fetch: async (url, init) => {
      requestedPaths.push(new URL(String(url)).pathname);
      return await fetch(url, init);
    },
  });
});
afterAll(async () => {
  expect(backend.errors).toEqual([]);
  await backend.stop();
  await host.stop();
});
beforeEach(() => {
  browser = createBrowser(backend);
  host.behaviour.person = {
    id: randomUUID(),
    name: 'Ada Lovelace',
    email: `${randomUUID()}@example.com`,
    isVerified: true,
  };
});

const signIn = (body: Record<string, unknown>, path = '/v1/auth/signin/idtoken') =>
  backend.post<{ session: Session; error: string }>(path, { provider: 'google', ...body });

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe('POST /signin/idtoken', () => {
  it('creates a new user', async () => {
    const { status, body } = await signIn({ idToken: await host.idToken(browser) });
    expect(status).toBe(200);
    expect(body.session.user).toMatchObject({
      email: host.behaviour.person.email,
      emailVerified: true,
      displayName: 'Ada Lovelace',
    });
  });

  it('finds the user of the account again, also with the redirect flow', async () => {
    const idToken = await host.idToken(browser);
    const [first, second] = [await signIn({ idToken }), await signIn({ idToken })];
    expect(second.body.session.user?.id).toBe(first.body.session.user?.id);
    const end = await createBrowser(backend).followRedirects('/v1/auth/signin/provider/google');
    const refreshToken = end.searchParams.get('refreshToken');
    const { body } = await backend.post<Session>('/v1/auth/token', { refreshToken });
    expect(body.user?.id).toBe(first.body.session.user?.id);
  });

  it('fetches the keys of the issuer once', async () => {
    await signIn({ idToken: await host.idToken(browser) });
    expect(requestedPaths.filter((path) => path === '/jwks')).toHaveLength(1);
    expect(requestedPaths.filter((path) => path.includes('openid-configuration'))).toHaveLength(1);
  });

  it('serves the sign-up path, with options', async () => {
    const { body } = await signIn(
      {
        idToken: await host.idToken(browser),
        options: { displayName: 'Countess', locale: 'de', metadata: { team: 'engines' } },
      },
      '/v1/auth/signup/idtoken',
    );
    expect(body.session.user).toMatchObject({
      displayName: 'Countess',
      locale: 'de',
      metadata: { team: 'engines' },
    });
  });

  it('links an account with a verified address to the existing user, and refuses an unverified one', async () => {
    const existing = await backend.signUp(host.behaviour.person.email);
    host.behaviour.person.isVerified = false;
    const refused = await signIn({ idToken: await host.idToken(browser) });
    expect(refused.status).toBe(401);
    expect(refused.body).toEqual({
      status: 401,
      error: 'unverified-user',
      message: 'User is not verified.',
    });
    host.behaviour.person.isVerified = true;
    const linked = await signIn({ idToken: await host.idToken(createBrowser(backend)) });
    expect(linked.body.session.user?.id).toBe(existing.user?.id);
  });

  it.each<[string, string | undefined, string | null | undefined, number]>([
    ['the nonce itself', 'n-1', 'n-1', 200],
    ['the hash of the nonce', sha256('n-1'), 'n-1', 200],
    ['no nonce on either side', undefined, null, 200],
    ['another nonce', 'n-1', 'n-2', 400],
    ['a nonce that is not sent', 'n-1', undefined, 400],
    ['a nonce that the token lacks', undefined, 'n-1', 400],
    ['the hash sent as nonce', sha256('n-1'), sha256('n-1'), 400],
  ])('checks the nonce: %s', async (_, claim, nonce, expected) => {
    const idToken = await host.idToken(browser, claim === undefined ? {} : { nonce: claim });
    const { status, body } = await signIn({ idToken, nonce });
    expect(status).toBe(expected);
    if (expected === 400) expect(body.error).toBe('invalid-request');
  });

  it.each<[string, () => Promise<string> | string]>([
    ['a token for another client', () => host.idToken(browser, { clientId: 'another' })],
    ['a token signed with another key', async () => forged(await host.idToken(browser))],
    ['an unsigned token', async () => unsigned(await host.idToken(browser))],
    [
      'a token with a changed signature',
      async () => `${(await host.idToken(browser)).slice(0, -4)}AAAA`,
    ],
    ['text', () => 'not a token'],
    ['nothing', () => ''],
    ['an access token of Longshore', async () => (await backend.signUp()).accessToken],
  ])('refuses %s', async (_, make) => {
    const idToken = await make();
    const before = await backend.db.selectFrom('auth.users').select('id').execute();
    const { status, body } = await signIn({ idToken });
    expect(status).toBe(400);
    expect(body).toMatchObject({ status: 400, error: 'invalid-request' });
    const after = await backend.db.selectFrom('auth.users').select('id').execute();
    expect(after).toHaveLength(before.length);
  });

  it('refuses an expired token', async () => {
    const idToken = await host.idToken(browser);
    backend.clock.ahead = 3_700_000;
    const { status } = await signIn({ idToken });
    backend.clock.ahead = 0;
    expect(status).toBe(400);
  });

  it('reports that an unconfigured provider is disabled', async () => {
    const { status, body } = await signIn({ provider: 'apple', idToken: 'any' });
    expect(status).toBe(409);
    expect(body.error).toBe('disabled-endpoint');
  });

  it.each<[string, unknown]>([
    ['no body', ''],
    ['a list', []],
    ['an unknown provider', { provider: 'github', idToken: 'a' }],
    ['a number as token', { provider: 'google', idToken: 1 }],
    ['no token', { provider: 'google' }],
    ['a very long token', { provider: 'google', idToken: 'a'.repeat(100_000) }],
    ['a list as nonce', { provider: 'google', idToken: 'a', nonce: [] }],
    ['text as options', { provider: 'google', idToken: 'a', options: 'b' }],
  ])('refuses %s', async (_, body) => {
    const response = await backend.post('/v1/auth/signin/idtoken', body);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ status: 400, error: 'invalid-request' });
  });
});

async function forged(idToken: string): Promise<string> {
  const { privateKey } = await generateKeyPair('RS256');
  return await new SignJWT(decodeJwt(idToken))
    .setProtectedHeader({ alg: 'RS256' })
    .sign(privateKey);
}

function unsigned(idToken: string): string {
  const header = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');
  return `${header}.${idToken.split('.')[1]}.`;
}
