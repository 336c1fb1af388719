import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Backend, startBackend } from '../../../test/backend.ts';
import { Secret } from '../../secrets/secret.ts';

let backend: Backend;
beforeAll(async () => {
  const client = { clientId: 'longshore', clientSecret: new Secret('hunter2') };
  backend = await startBackend({
    settings: {
      providers: {
        github: { url: 'https://github.com', ...client },
        google: { url: 'https://accounts.google.com', ...client },
      },
    },
    fetch: () => Promise.reject(new TypeError('fetch failed')),
  });
});
afterAll(async () => {
  expect(backend.errors).toEqual([]);
  expect(await backend.db.selectFrom('auth.users').select('id').execute()).toEqual([]);
  await backend.stop();
});

const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 60 }), fc.json({ maxDepth: 2 }));
const provider = fc.constantFrom('github', 'google', 'gitlab', '..', '%E0%A4%A', '%00', '"');
const query = fc.dictionary(
  fc.constantFrom(
    ...['redirectTo', 'connect', 'state', 'metadata', 'displayName', 'locale', 'allowedRoles'],
    ...['defaultRole', 'code', 'error', 'error_description', 'codeChallenge', '__proto__'],
  ),
  text,
);

it('responds to every URL with a redirect or an error, and stores nothing', async () => {
  await fc.assert(
    fc.asyncProperty(
      provider,
      fc.constantFrom('', '/callback'),
      query,
      text,
      async (name, suffix, parameters, cookie) => {
        const path = `/v1/auth/signin/provider/${name}${suffix}?${new URLSearchParams(parameters)}`;
        const headers = {
          cookie: `longshore-provider=${encodeURIComponent(cookie.toWellFormed())}`,
        };
        const { status } = await backend.request(path, { headers });
        expect([302, 400, 404]).toContain(status);
      },
    ),
    { numRuns: 250 },
  );
});

it('redirects every posted form to a path of this server', async () => {
  await fc.assert(
    fc.asyncProperty(provider, text, async (name, body) => {
      const path = `/v1/auth/signin/provider/${name}/callback`;
      const { status, headers } = await backend.request(path, { method: 'POST', body });
      expect([303, 404]).toContain(status);
      if (status === 303)
        expect(headers.get('location')).toMatch(/^\/v1\/auth\/signin\/provider\//);
    }),
    { numRuns: 100 },
  );
});

it('refuses every body without a valid ID token', async () => {
  const body = fc.oneof(
    fc.jsonValue(),
    fc.record(
      {
        provider: fc.oneof(fc.constant('google'), fc.jsonValue()),
        idToken: fc.oneof(text, fc.constant('a.b.c'), fc.jsonValue()),
        nonce: fc.oneof(text, fc.jsonValue()),
        options: fc.jsonValue(),
      },
      { requiredKeys: [] },
    ),
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('signin', 'signup', 'link'), body, async (flow, value) => {
      const { status, body: problem } = await backend.post(
        `/v1/auth/${flow}/idtoken`,
        JSON.stringify(value),
      );
      expect(status).toBe(flow === 'link' ? 401 : 400);
      expect(problem).toMatchObject({ status, message: expect.any(String) });
    }),
    { numRuns: 250 },
  );
});
