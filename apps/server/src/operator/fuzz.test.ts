import { OPERATOR_PATHS, SIGN_UP_MODES } from '@longshore/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { anyText } from '../../test/auth/arbitrary-request.ts';
import { anyParameter } from '../../test/auth/invalid-request.ts';
import { type Backend, bearer, startBackend, stopWithoutErrors } from '../../test/backend.ts';

/** The same requests in every run; fast-check prints the one that failed. */
const SEED = 20_261_116;
const RUNS = 30;

let backend: Backend;
let operator: Record<string, string>;
let others: Record<string, string>[];
let userIds: string[];

beforeAll(async () => {
  backend = await startBackend();
  const [ada, eve] = [await backend.signUp('ada@example.com'), await backend.signUp()];
  operator = bearer(ada);
  others = [{}, { authorization: 'Bearer nonsense' }, bearer(eve)];
  userIds = [ada.user.id, eve.user.id];
});
afterAll(() => stopWithoutErrors(backend));

const routesOf = () =>
  backend.app.routes.filter(
    ({ method, path }) => method !== 'ALL' && path.startsWith('/v1/operator/'),
  );

const nearlyValid = (...valid: unknown[]) =>
  fc.oneof(fc.constantFrom(...valid), anyText, fc.jsonValue());

const limit = nearlyValid(null, 0, -0, 1, 0.5, -1, 1e-300, 1e308, 2 ** 53, '1');

const anyBody = fc.oneof(
  fc
    .record(
      {
        mode: nearlyValid(...SIGN_UP_MODES),
        domains: nearlyValid(['example.com'], ['@EXAMPLE.org', 'b\u00fccher.example'], ['*'], [7]),
        email: nearlyValid('bob@example.com', 'ada@example.com', 'b\u00f6b@example.com'),
        apps: limit,
        memoryBytes: limit,
        cpus: limit,
        builds: limit,
        diskBytes: limit,
      },
      { requiredKeys: ['apps', 'memoryBytes', 'cpus', 'builds', 'diskBytes'] },
    )
    .map((fields) => JSON.stringify(fields)),
  fc.jsonValue().map((value) => JSON.stringify(value)),
  anyText,
  fc.constantFrom('', '{', '{"__proto__":{"mode":"open"}}', '{"email":"\\u0000"}'),
);

const nearlyValidText = (...valid: string[]) => fc.oneof(fc.constantFrom(...valid), anyText);

const anyQuery = fc
  .record(
    {
      search: nearlyValidText('ada', '%', '\0'),
      page: nearlyValidText('0', '-1', '1e9', '999999'),
      kind: nearlyValidText('signed-up'),
      user: nearlyValidText('ada@example.com'),
      before: nearlyValidText('1', '9'.repeat(18), '9'.repeat(19), '-1'),
    },
    { requiredKeys: [] },
  )
  .map((fields) => new URLSearchParams(fields).toString().slice(0, 4_000));

const anyRequest = () =>
  fc.record({
    body: anyBody,
    query: anyQuery,
    parameter: fc.oneof(anyParameter, fc.constantFrom(...userIds)),
  });

type AnyRequest = { body: string; query: string; parameter: string };

async function send(
  { method, path }: { method: string; path: string },
  { body, query, parameter }: AnyRequest,
  caller: Record<string, string>,
): Promise<Response> {
  return await backend.app.request(`${path.replaceAll(/:\w+/g, () => parameter)}?${query}`, {
    method,
    headers: { 'content-type': 'application/json', ...caller },
    ...(method === 'GET' ? {} : { body }),
  });
}

it('refuses every request of others', async () => {
  expect(routesOf().length).toBeGreaterThanOrEqual(Object.keys(OPERATOR_PATHS).length);
  for (const route of routesOf()) {
    const property = fc.asyncProperty(
      anyRequest(),
      fc.constantFrom(...others),
      async (request, caller) => {
        const { status } = await send(route, request, caller);
        expect(status).toBe(caller === others.at(-1) ? 404 : 401);
      },
    );
    await fc.assert(property, { seed: SEED, numRuns: RUNS });
  }
}, 120_000);

it('responds to any request of an operator with JSON, and never with a server error', async () => {
  for (const route of routesOf()) {
    const property = fc.asyncProperty(anyRequest(), async (request) => {
      const response = await send(route, request, operator);
      // Taken out, so that fast-check can shrink the request.
      expect(backend.errors.splice(0)).toEqual([]);
      expect(response.status).toBeLessThan(500);
      const body: unknown = await response.json();
      if (response.status >= 400) {
        expect(body).toEqual({
          status: response.status,
          error: expect.any(String),
          message: expect.any(String),
        });
      }
    });
    await fc.assert(property, { seed: SEED, numRuns: RUNS });
  }
}, 120_000);
