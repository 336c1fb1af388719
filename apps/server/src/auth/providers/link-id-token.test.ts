import { randomUUID } from 'node:crypto';
import type { Session } from '@longshore/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createBrowser } from '../../../test/auth/providers/browser.ts';
import { type OpenidHost, startOpenidHost } from '../../../test/auth/providers/openid-host.ts';
import { type Backend, bearer, startBackend } from '../../../test/backend.ts';

let host: OpenidHost;
let backend: Backend;
beforeAll(async () => {
  host = await startOpenidHost();
  backend = await startBackend({ settings: { providers: { google: host.client } } });
});
afterAll(async () => {
  expect(backend.errors).toEqual([]);
  await backend.stop();
  await host.stop();
});
beforeEach(() => {
  const email = `${randomUUID()}@example.com`;
  host.behaviour.person = { id: randomUUID(), name: 'Ada', email, isVerified: false };
});

const idToken = () => host.idToken(createBrowser(backend));
const link = (session: Session, body: Record<string, unknown>) =>
  backend.post('/v1/auth/link/idtoken', { provider: 'google', ...body }, bearer(session));

describe('POST /link/idtoken', () => {
  it('lets the user sign in with the linked account', async () => {
    const session = await backend.signUp();
    const { status, body } = await link(session, { idToken: await idToken() });
    expect([status, body]).toEqual([200, 'OK']);
    const signedIn = await backend.post<{ session: Session }>('/v1/auth/signin/idtoken', {
      provider: 'google',
      idToken: await idToken(),
    });
    expect(signedIn.body.session.user?.id).toBe(session.user?.id);
  });

  it('refuses an account that is already linked, even to the same user', async () => {
    const [first, second] = [await backend.signUp(), await backend.signUp()];
    await link(first, { idToken: await idToken() });
    for (const session of [first, second]) {
      const { status, body } = await link(session, { idToken: await idToken() });
      expect(status).toBe(400);
      expect(body).toEqual({
        status: 400,
        error: 'provider-account-already-linked',
        message: 'This provider account is already linked to a user',
      });
    }
  });

  it('refuses an invalid token', async () => {
    const { status, body } = await link(await backend.signUp(), { idToken: 'bad' });
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: 'invalid-request' });
  });

  it('reports that an unconfigured provider is disabled', async () => {
    const body = { provider: 'apple', idToken: 'any' };
    expect((await link(await backend.signUp(), body)).status).toBe(409);
  });

  it('refuses an unauthenticated caller', async () => {
    const body = { provider: 'google', idToken: await idToken() };
    expect((await backend.post('/v1/auth/link/idtoken', body)).status).toBe(401);
  });

  it('refuses an anonymous user', async () => {
    const { body } = await backend.post<{ session: Session }>('/v1/auth/signin/anonymous', {});
    const { status } = await link(body.session, { idToken: await idToken() });
    expect(status).toBe(403);
  });
});
