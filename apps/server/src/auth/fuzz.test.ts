import { AUTH_PATHS, SERVICE_PATHS } from '@longshore/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anyBody, anyQuery } from '../../test/auth/arbitrary-request.ts';
import { ENDPOINTS, type Endpoint } from '../../test/auth/endpoints.ts';
import {
  anyParameter,
  type InvalidRequest,
  invalidRequest,
} from '../../test/auth/invalid-request.ts';
import { type Backend, bearer, startBackend, stopWithoutErrors } from '../../test/backend.ts';

/** The same requests in every run; fast-check prints the one that failed. */
const SEED = 20_261_115;
const INVALID_RUNS = 240;
const ANY_RUNS = 30;
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const MORE_THAN_A_BODY_HOLDS = 1_000_001;

let backend: Backend;
let strangers: Record<string, string>[];
let everybody: Record<string, string>[];
let asked = 0;
beforeAll(async () => {
  // Outside services do not answer here.
  const fetch = () => Promise.reject(new TypeError('fetch failed'));
  backend = await startBackend({ fetch });
  const { body } = await backend.post<{ session: Parameters<typeof bearer>[0] }>(
    '/v1/auth/signin/anonymous',
    '',
  );
  strangers = [{}, { authorization: 'Bearer nonsense' }, { authorization: `Bearer ${unsigned}` }];
  everybody = [...strangers, bearer(await backend.signUp()), bearer(body.session)];
});
afterAll(() => stopWithoutErrors(backend));

/** A token that says of itself that nobody signed it. */
const unsigned = `${base64({ alg: 'none' })}.${base64({ sub: 'a', exp: 4_102_444_800 })}.`;

function base64(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

const endpoints = Object.entries(ENDPOINTS).map(
  ([name, endpoint]) => [AUTH_PATHS[name as keyof typeof AUTH_PATHS], endpoint] as const,
);

async function send(path: string, request: InvalidRequest, caller: Record<string, string>) {
  asked += 1;
  const { method, body, contentType, query, parameter } = request;
  const address = `${SERVICE_PATHS.auth[0]}${path.replace(/:\w+/, parameter)}?${query}`;
  return await backend.app.request(address, {
    method,
    headers: { 'content-type': contentType, ...caller },
    ...(method === 'GET' || body === undefined ? {} : { body }),
  });
}

async function expectRefusal(response: Response): Promise<void> {
  expect(response.status).toBeGreaterThanOrEqual(400);
  expect(response.status).toBeLessThan(500);
  expect(await response.json()).toEqual({
    status: response.status,
    error: expect.any(String),
    message: expect.any(String),
  });
}

/** Browsers are refused in the address they are sent on to, which is ours. */
async function expectRefusalOfVisitor(response: Response): Promise<void> {
  if (response.status >= 400) return await expectRefusal(response);
  const { origin, searchParams } = new URL(response.headers.get('location') ?? '');
  expect(origin).toBe('http://localhost:1337');
  expect(searchParams.has('error')).toBe(true);
  expect(searchParams.has('code') || searchParams.has('refreshToken')).toBe(false);
}

/** Every row of every table. */
async function written(): Promise<string> {
  const { rows: tables } = await backend.pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname in ('auth', 'public', 'deploy') order by name`,
  );
  const contents = tables.map(
    ({ name }) =>
      `select '${name}' as name, md5(string_agg(t::text, ';' order by t::text)) from ${name} t`,
  );
  const { rows } = await backend.pool.query(contents.join(' union all '));
  return JSON.stringify(rows);
}

describe.each(endpoints.filter(([, { isOpen }]) => !isOpen))('%s', (path, endpoint) => {
  it('refuses every invalid request in JSON, and writes nothing', async () => {
    const before = await written();
    const callers = callersOf(endpoint);
    const property = fc.asyncProperty(
      invalidRequest(endpoint),
      fc.nat({ max: callers.length - 1 }),
      async (request, caller) => {
        const response = await send(path, request, callers[caller] ?? {});
        await (endpoint.isVisited ? expectRefusalOfVisitor(response) : expectRefusal(response));
        expect(backend.errors).toEqual([]);
      },
    );
    await fc.assert(property, { seed: SEED, numRuns: INVALID_RUNS });
    expect(await written()).toBe(before);
  }, 60_000);
});

/** Where no body is read, only a stranger's request is invalid. */
function callersOf({ required, optional }: Endpoint): Record<string, string>[] {
  return required === undefined && optional === undefined ? strangers : everybody;
}

it('refuses methods that a path does not have, and bodies that are too large', async () => {
  const before = await written();
  const served = new Set(backend.app.routes.map(({ method, path }) => `${method} ${path}`));
  const request = { contentType: 'application/json', query: '', parameter: 'none' };
  for (const [path, { method: right }] of endpoints) {
    for (const method of METHODS) {
      if (served.has(`${method} ${SERVICE_PATHS.auth[0]}${path}`)) continue;
      for (const caller of everybody)
        await expectRefusal(await send(path, { ...request, method, body: '{}' }, caller));
    }
    if (right !== 'POST') continue;
    const body = `{"email":"${'x'.repeat(MORE_THAN_A_BODY_HOLDS)}"}`;
    const response = await send(path, { ...request, method: 'POST', body }, {});
    expect(response.status).toBe(413);
    await expectRefusal(response);
  }
  expect(await written()).toBe(before);
}, 60_000);

describe('a body that is nested very deeply', () => {
  const DEPTH = 20_000;
  const nested = `${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`;

  it.each([
    ['alone', nested],
    ['as an address', `{"email":${nested},"password":"correct horse"}`],
    ['as metadata', `{"email":"deep@example.com","options":{"metadata":{"a":${nested}}}}`],
    ['as a credential', `{"credential":${nested}}`],
  ])('is no surprise %s at any path', async (_, body) => {
    const request = { contentType: 'application/json', query: '', parameter: 'github', body };
    for (const [path] of endpoints.filter(([, { method }]) => method === 'POST')) {
      for (const caller of everybody) {
        const { status } = await send(path, { ...request, method: 'POST' }, caller);
        expect(status, path).toBeLessThan(500);
      }
    }
    expect(backend.errors).toEqual([]);
  });
});

it('answers any request at any path with a good answer or a refusal in JSON', async () => {
  const anyRequest = fc.record({
    method: fc.constant('POST'),
    body: anyBody,
    contentType: fc.constant('application/json'),
    query: anyQuery,
    parameter: anyParameter,
  });
  for (const [path, { method }] of endpoints) {
    const property = fc.asyncProperty(anyRequest, fc.nat({ max: 4 }), async (request, caller) => {
      const response = await send(path, { ...request, method }, everybody[caller] ?? {});
      if (response.status < 400) expect([200, 302, 303]).toContain(response.status);
      else await expectRefusal(response);
      expect(backend.errors).toEqual([]);
    });
    await fc.assert(property, { seed: SEED, numRuns: ANY_RUNS });
  }
}, 120_000);

it('asked ten thousand times and more', () => {
  expect(asked).toBeGreaterThanOrEqual(10_000);
});
