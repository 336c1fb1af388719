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

/** Fixed, so that every run sends the same requests. fast-check prints the failing one. */
const SEED = 20_261_115;
const INVALID_RUNS = 240;
const ANY_RUNS = 30;
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const LARGER_THAN_MAX_BODY = 1_000_001;

let backend: Backend;
let unauthenticated: Record<string, string>[];
let allCallers: Record<string, string>[];
let sentRequests = 0;
beforeAll(async () => {
  // OAuth providers are unreachable.
  const fetch = () => Promise.reject(new TypeError('fetch failed'));
  backend = await startBackend({ fetch });
  const { body } = await backend.post<{ session: Parameters<typeof bearer>[0] }>(
    '/v1/auth/signin/anonymous',
    '',
  );
  unauthenticated = [
    {},
    { authorization: 'Bearer nonsense' },
    { authorization: `Bearer ${unsigned}` },
  ];
  allCallers = [...unauthenticated, bearer(await backend.signUp()), bearer(body.session)];
});
afterAll(() => stopWithoutErrors(backend));

/** An unsigned token. */
const unsigned = `${base64({ alg: 'none' })}.${base64({ sub: 'a', exp: 4_102_444_800 })}.`;

function base64(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

const endpoints = Object.entries(ENDPOINTS).map(
  ([name, endpoint]) => [AUTH_PATHS[name as keyof typeof AUTH_PATHS], endpoint] as const,
);

async function send(path: string, request: InvalidRequest, caller: Record<string, string>) {
  sentRequests += 1;
  const { method, body, contentType, query, parameter } = request;
  const url = `${SERVICE_PATHS.auth[0]}${path.replace(/:\w+/, parameter)}?${query}`;
  return await backend.app.request(url, {
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

/** Endpoints that browsers navigate to redirect errors to a URL of this server. */
async function expectRefusalOfBrowser(response: Response): Promise<void> {
  if (response.status >= 400) return await expectRefusal(response);
  const { origin, searchParams } = new URL(response.headers.get('location') ?? '');
  expect(origin).toBe('http://localhost:1337');
  expect(searchParams.has('error')).toBe(true);
  expect(searchParams.has('code') || searchParams.has('refreshToken')).toBe(false);
}

/** Every row of every table, to detect changes. */
async function databaseContents(): Promise<string> {
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

describe.each(endpoints.filter(([, { isPublic }]) => !isPublic))('%s', (path, endpoint) => {
  it('refuses every invalid request with JSON, and stores nothing', async () => {
    const before = await databaseContents();
    const callers = callersOf(endpoint);
    const property = fc.asyncProperty(
      invalidRequest(endpoint),
      fc.nat({ max: callers.length - 1 }),
      async (request, caller) => {
        const response = await send(path, request, callers[caller] ?? {});
        await (endpoint.isForBrowsers ? expectRefusalOfBrowser(response) : expectRefusal(response));
        expect(backend.errors).toEqual([]);
      },
    );
    await fc.assert(property, { seed: SEED, numRuns: INVALID_RUNS });
    expect(await databaseContents()).toBe(before);
  }, 60_000);
});

/** If an endpoint reads no body, only requests of unauthenticated callers are invalid. */
function callersOf({ required, optional }: Endpoint): Record<string, string>[] {
  return required === undefined && optional === undefined ? unauthenticated : allCallers;
}

it('refuses unknown methods and bodies that are too large', async () => {
  const before = await databaseContents();
  const served = new Set(backend.app.routes.map(({ method, path }) => `${method} ${path}`));
  const request = { contentType: 'application/json', query: '', parameter: 'none' };
  for (const [path, { method: supportedMethod }] of endpoints) {
    for (const method of METHODS) {
      if (served.has(`${method} ${SERVICE_PATHS.auth[0]}${path}`)) continue;
      for (const caller of allCallers)
        await expectRefusal(await send(path, { ...request, method, body: '{}' }, caller));
    }
    if (supportedMethod !== 'POST') continue;
    const body = `{"email":"${'x'.repeat(LARGER_THAN_MAX_BODY)}"}`;
    const response = await send(path, { ...request, method: 'POST', body }, {});
    expect(response.status).toBe(413);
    await expectRefusal(response);
  }
  expect(await databaseContents()).toBe(before);
}, 60_000);

describe('a deeply nested body', () => {
  const DEPTH = 20_000;
  const nested = `${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`;

  it.each([
    ['as the whole body', nested],
    ['as an address', `{"email":${nested},"password":"correct horse"}`],
    ['as metadata', `{"email":"deep@example.com","options":{"metadata":{"a":${nested}}}}`],
    ['as a credential', `{"credential":${nested}}`],
  ])('%s causes no server error at any path', async (_, body) => {
    const request = { contentType: 'application/json', query: '', parameter: 'github', body };
    for (const [path] of endpoints.filter(([, { method }]) => method === 'POST')) {
      for (const caller of allCallers) {
        const { status } = await send(path, { ...request, method: 'POST' }, caller);
        expect(status, path).toBeLessThan(500);
      }
    }
    expect(backend.errors).toEqual([]);
  });
});

it('responds to any request at any path with success or a JSON error', async () => {
  const anyRequest = fc.record({
    method: fc.constant('POST'),
    body: anyBody,
    contentType: fc.constant('application/json'),
    query: anyQuery,
    parameter: anyParameter,
  });
  for (const [path, { method }] of endpoints) {
    const property = fc.asyncProperty(anyRequest, fc.nat({ max: 4 }), async (request, caller) => {
      const response = await send(path, { ...request, method }, allCallers[caller] ?? {});
      if (response.status < 400) expect([200, 302, 303]).toContain(response.status);
      else await expectRefusal(response);
      expect(backend.errors).toEqual([]);
    });
    await fc.assert(property, { seed: SEED, numRuns: ANY_RUNS });
  }
}, 120_000);

it('sent at least ten thousand requests', () => {
  expect(sentRequests).toBeGreaterThanOrEqual(10_000);
});
