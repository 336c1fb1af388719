import { createHash, randomBytes, randomInt, randomUUID } from 'node:crypto';
import type { Session } from '@longshore/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { auditedKinds } from '../../../test/auth/mail-links.ts';
import { createBrowser } from '../../../test/auth/providers/browser.ts';
import { startCodeHost } from '../../../test/auth/providers/code-host.ts';
import type { TestProvider } from '../../../test/auth/providers/test-provider.ts';
import { type Backend, bearer, startBackend, stopWithoutErrors } from '../../../test/backend.ts';

type ProviderSession = {
  accessToken: string;
  expiresIn: number;
  expiresAt: string;
  refreshToken?: string;
};

let hosts: TestProvider[];
let backend: Backend;
beforeAll(async () => {
  hosts = [await startCodeHost('github'), await startCodeHost('gitlab')];
  const providers = Object.fromEntries(hosts.map(({ name, client }) => [name, client]));
  backend = await startBackend({ settings: { providers } });
});
afterAll(async () => {
  await stopWithoutErrors(backend);
  for (const host of hosts) await host.stop();
});
beforeEach(() => {
  const id = String(randomInt(1_000_000_000));
  const person = { id, name: 'Ada', email: `${randomUUID()}@example.com`, isVerified: true };
  for (const host of hosts) host.behaviour.person = person;
});

async function signIn(name: string): Promise<Session> {
  const end = await createBrowser(backend).followRedirects(`/v1/auth/signin/provider/${name}`);
  const refreshToken = end.searchParams.get('refreshToken');
  return (await backend.post<Session>('/v1/auth/token', { refreshToken })).body;
}
const take = (session: Session, name: string) =>
  backend.request<ProviderSession>(`/v1/auth/signin/provider/${name}/callback/tokens`, {
    headers: bearer(session),
  });
const refresh = (session: Session, name: string, refreshToken: unknown) =>
  backend.post<ProviderSession>(
    `/v1/auth/token/provider/${name}`,
    { refreshToken },
    bearer(session),
  );

describe('GET /signin/provider/{provider}/callback/tokens', () => {
  it('returns the provider’s tokens once', async () => {
    const session = await signIn('gitlab');
    const { status, body, headers } = await take(session, 'gitlab');
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toEqual({
      accessToken: expect.any(String),
      refreshToken: expect.any(String),
      expiresIn: expect.any(Number),
      expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
    expect(body.expiresIn).toBeGreaterThan(7_100);
    expect(body.expiresIn).toBeLessThanOrEqual(7_200);
    const userinfo = await fetch(`${hosts[1]?.client.url}/oauth/userinfo`, {
      headers: { authorization: `Bearer ${body.accessToken}` },
    });
    expect(userinfo.status).toBe(200);
    expect(await take(session, 'gitlab')).toMatchObject({
      status: 400,
      body: { error: 'invalid-request' },
    });
    expect(await auditedKinds(backend, session.user.id)).toContain('provider-tokens-taken');
  });

  it('reports a lifetime of one year for tokens without a lifetime', async () => {
    const { body } = await take(await signIn('github'), 'github');
    expect(body).not.toHaveProperty('refreshToken');
    expect(body.expiresIn).toBeGreaterThan(364 * 86_400);
  });

  it('returns the tokens after an account was linked and after a code was exchanged', async () => {
    const session = await backend.signUp();
    const path = `/v1/auth/signin/provider/gitlab?connect=${session.accessToken}`;
    await createBrowser(backend).followRedirects(path);
    expect((await take(session, 'gitlab')).status).toBe(200);

    const codeVerifier = randomBytes(32).toString('base64url');
    const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
    const address = `/v1/auth/signin/provider/gitlab?codeChallenge=${codeChallenge}&state=mine`;
    const end = await createBrowser(backend).followRedirects(address);
    expect([...end.searchParams.keys()].sort()).toEqual(['code', 'state']);
    const code = end.searchParams.get('code');
    const exchanged = await backend.post<{ session: Session }>('/v1/auth/token/exchange', {
      code,
      codeVerifier,
    });
    expect(exchanged.body.session.user.id).toBe(session.user.id);
    expect((await take(exchanged.body.session, 'gitlab')).status).toBe(200);
  });

  it('does not return the tokens of other users or providers', async () => {
    const session = await signIn('gitlab');
    const other = await backend.signUp();
    expect((await take(other, 'gitlab')).status).toBe(400);
    expect((await take(session, 'github')).status).toBe(400);
    expect((await take(session, 'gitlab')).status).toBe(200);
  });

  it('stores the tokens encrypted, for ten minutes', async () => {
    const session = await signIn('gitlab');
    const stored = await backend.db.selectFrom('auth.provider_sessions').selectAll().execute();
    await backend.db
      .updateTable('auth.provider_sessions')
      .set({ expires_at: sql`expires_at - interval '10 minutes'` })
      .where('user_id', '=', session.user.id)
      .execute();
    expect((await take(session, 'gitlab')).status).toBe(400);
    const { body } = await take(await signIn('gitlab'), 'gitlab');
    expect(stored.map(({ sealed_tokens: sealed }) => sealed).join()).not.toContain('accessToken');
    expect(body.accessToken).toBeTruthy();
  });

  it.each([
    ['without a bearer token', {}, 'gitlab', 401, 'unauthorized'],
    [
      'with a forged bearer token',
      { authorization: 'Bearer x.y.z' },
      'gitlab',
      401,
      'unauthorized',
    ],
  ])('refuses a caller %s', async (_, headers, name, status, error) => {
    const path = `/v1/auth/signin/provider/${name}/callback/tokens`;
    expect(await backend.request(path, { headers })).toMatchObject({ status, body: { error } });
  });

  it.each(['google', 'nobody', '__proto__'])('is disabled for %s', async (name) => {
    const session = await backend.signUp();
    for (const response of [await take(session, name), await refresh(session, name, 'x')]) {
      expect(response).toMatchObject({ status: 409, body: { error: 'disabled-endpoint' } });
    }
  });
});

describe('POST /token/provider/{provider}', () => {
  it('exchanges a refresh token of the provider for new tokens', async () => {
    const session = await signIn('gitlab');
    const first = (await take(session, 'gitlab')).body;
    const { status, body } = await refresh(session, 'gitlab', first.refreshToken);
    expect(status).toBe(200);
    expect(body.accessToken).not.toBe(first.accessToken);
    expect(body.refreshToken).not.toBe(first.refreshToken);
    expect(body.expiresIn).toBe(7_200);
    expect(await auditedKinds(backend, session.user.id)).toContain('provider-tokens-refreshed');
    expect(await refresh(session, 'gitlab', first.refreshToken)).toMatchObject({
      status: 400,
      body: { error: 'oauth-token-echange-failed' },
    });
  });

  it('refuses a user without a linked account at the provider', async () => {
    const { refreshToken } = (await take(await signIn('gitlab'), 'gitlab')).body;
    expect(await refresh(await backend.signUp(), 'gitlab', refreshToken)).toMatchObject({
      status: 400,
      body: { error: 'invalid-request' },
    });
  });

  it.each([[undefined], [null], [''], [7], [['x']], ['x'.repeat(20_000)]])(
    'refuses %s as token',
    async (refreshToken) => {
      const session = await signIn('gitlab');
      expect(await refresh(session, 'gitlab', refreshToken)).toMatchObject({
        status: 400,
        body: { error: 'invalid-request' },
      });
    },
  );

  it('refuses a caller without a bearer token', async () => {
    const response = await backend.post('/v1/auth/token/provider/gitlab', { refreshToken: 'x' });
    expect(response).toMatchObject({ status: 401, body: { error: 'unauthorized' } });
  });
});

it('does not redirect to the provider with an invalid challenge', async () => {
  const end = await createBrowser(backend).followRedirects(
    '/v1/auth/signin/provider/gitlab?codeChallenge=x',
  );
  expect(end.searchParams.get('error')).toBe('invalid-request');
});
