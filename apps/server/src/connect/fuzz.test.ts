import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { anyQuery, anyText } from '../../test/auth/arbitrary-request.ts';
import { anyParameter } from '../../test/auth/invalid-request.ts';
import { type Backend, bearer, startBackend, stopWithoutErrors } from '../../test/backend.ts';

/** The same requests in every run; fast-check prints the one that failed. */
const SEED = 20_261_115;
const RUNS = 80;
const PUBLIC_URL = 'http://localhost:1337';

let backend: Backend;
let callers: Record<string, string>[];

beforeAll(async () => {
  // No host name resolves in this test.
  const resolve = () => Promise.reject(Object.assign(new Error('none'), { code: 'ENOTFOUND' }));
  backend = await startBackend({ resolve });
  callers = [{}, { authorization: 'Bearer nonsense' }, bearer(await backend.signUp())];
});
afterAll(() => stopWithoutErrors(backend));

const nearlyValid = (...valid: string[]) =>
  fc.oneof(fc.constantFrom(...valid), anyText, fc.jsonValue());

const anyBody = fc.oneof(
  fc
    .record(
      {
        provider: nearlyValid('gitlab', 'github', 'gitea'),
        url: nearlyValid('https://git.example', 'http://10.0.0.1', '//', 'https://[::1]'),
        token: nearlyValid('token', 'a b', 'ü'),
        host: nearlyValid('registry.example:5000', 'localhost', 'docker.io'),
        username: nearlyValid('ada', ':', '\ud800'),
        password: nearlyValid('hunter2', '\n'),
        repo_name: nearlyValid('group/app', '../..', '%2e'),
        enabled: fc.constantFrom<unknown>(true, false, 'yes', null),
      },
      { requiredKeys: [] },
    )
    .map((fields) => JSON.stringify(fields)),
  fc.jsonValue().map((value) => JSON.stringify(value)),
  anyText,
  fc.constantFrom('', '{', '[[', '{"__proto__":{"a":1}}', '{"username":"\\u0000"}'),
);

it('responds to any invalid request with a JSON error or a redirect to the console', async () => {
  const routes = backend.app.routes.filter(
    ({ method, path }) => method !== 'ALL' && path.startsWith('/v1/connect/'),
  );
  expect(routes.length).toBeGreaterThan(10);
  for (const { method, path } of routes) {
    const request = fc.record({
      body: anyBody,
      query: anyQuery,
      parameter: anyParameter,
      caller: fc.constantFrom(...callers),
    });
    const property = fc.asyncProperty(request, async ({ body, query, parameter, caller }) => {
      const url = `${path.replaceAll(/:\w+/g, () => parameter)}?${query}`;
      const response = await backend.app.request(url, {
        method,
        headers: { 'content-type': 'application/json', ...caller },
        ...(method === 'GET' ? {} : { body }),
      });
      await expectErrorOrRedirect(response);
      expect(backend.errors).toEqual([]);
    });
    await fc.assert(property, { seed: SEED, numRuns: RUNS });
  }
  const { rows } = await backend.pool.query('select from connect.secrets');
  expect(rows).toEqual([]);
}, 120_000);

async function expectErrorOrRedirect(response: Response): Promise<void> {
  if (response.status === 302) {
    expect(response.headers.get('location')).toMatch(
      `${PUBLIC_URL}/dashboard/integrations?failed=`,
    );
    return;
  }
  expect(response.status).toBeGreaterThanOrEqual(400);
  // 502: a host named in the request is unreachable.
  expect([502, ...Array.from({ length: 100 }, (_, index) => 400 + index)]).toContain(
    response.status,
  );
  expect(await response.json()).toMatchObject({
    status: response.status,
    error: expect.any(String),
    message: expect.any(String),
  });
}
