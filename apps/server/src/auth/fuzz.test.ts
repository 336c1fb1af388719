import { SERVICE_PATHS } from '@longshore/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Backend, bearer, startBackend } from '../test-support/backend.ts';
import { anyBody, anyQuery, anyText } from './testing/arbitrary-request.ts';

const RUNS_PER_ROUTE = 120;
/** A slow machine does fewer. */
const TIME_PER_ROUTE_MS = 250;
const ROUTES_AT_LEAST = 30;

let backend: Backend;
let callers: Record<string, string>[];
beforeAll(async () => {
  // Outside services do not answer here.
  const fetch = () => Promise.reject(new TypeError('fetch failed'));
  backend = await startBackend({ fetch });
  callers = [{}, bearer(await backend.signUp()), { authorization: 'Bearer nonsense' }];
});
afterAll(async () => {
  expect(backend.errors).toEqual([]);
  await backend.stop();
});

type Route = { method: string; path: string };

function routes(): Route[] {
  return backend.app.routes
    .filter(({ method, path }) => method !== 'ALL' && path.startsWith(SERVICE_PATHS.auth[0]))
    .map(({ method, path }) => ({ method, path }));
}

const anyRequest = fc.record({
  body: anyBody,
  query: anyQuery,
  parameter: anyText.map((text) => encodeURIComponent(text.toWellFormed()).slice(0, 1_000)),
  caller: fc.nat({ max: 2 }),
});

/** Sends it and sees that the answer is a good one or a refusal every client can read. */
async function answered(
  { method, path }: Route,
  {
    body,
    query,
    parameter,
    caller,
  }: { body: string; query: string; parameter: string; caller: number },
): Promise<boolean> {
  const response = await backend.app.request(`${path.replace(/:\w+/, parameter)}?${query}`, {
    method,
    headers: { 'content-type': 'application/json', ...callers[caller] },
    ...(method === 'GET' ? {} : { body }),
  });
  if (response.status < 400) {
    expect([200, 302, 303]).toContain(response.status);
    return true;
  }
  expect(response.status).toBeLessThan(500);
  expect(await response.json()).toEqual({
    status: response.status,
    error: expect.any(String),
    message: expect.any(String),
  });
  return false;
}

async function written(): Promise<unknown> {
  const { rows } = await backend.pool.query(
    `select (select count(*) from auth.users) as users,
            (select count(*) from auth.refresh_tokens) as sessions,
            (select count(*) from auth.tickets) as tickets,
            (select count(*) from auth.one_time_codes) as codes,
            (select count(*) from auth.security_keys) as keys,
            (select count(*) from auth.personal_access_tokens) as tokens,
            (select count(*) from auth.provider_accounts) as accounts`,
  );
  return rows[0];
}

it('answers any input at any path with a good answer or a refusal in JSON, and writes nothing on refusal', async () => {
  expect(routes().length).toBeGreaterThanOrEqual(ROUTES_AT_LEAST);
  for (const route of routes()) {
    const before = await written();
    const endsAt = Date.now() + TIME_PER_ROUTE_MS;
    let isRefusedAlways = true;
    const property = fc.asyncProperty(anyRequest, async (request) => {
      if (Date.now() > endsAt) return;
      if (await answered(route, request)) isRefusedAlways = false;
      expect(backend.errors, `${route.method} ${route.path}`).toEqual([]);
    });
    await fc.assert(property, { numRuns: RUNS_PER_ROUTE });
    if (isRefusedAlways) expect(await written(), route.path).toEqual(before);
  }
}, 120_000);

describe('a body that is nested very deeply', () => {
  const DEPTH = 20_000;
  const deep = `${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`;

  it.each([
    ['alone', deep],
    ['as an address', `{"email":${deep},"password":"correct horse"}`],
    [
      'as metadata',
      `{"email":"deep@example.com","password":"correct horse","options":{"metadata":{"a":${deep}}}}`,
    ],
    ['as a credential', `{"credential":${deep}}`],
  ])('is refused %s at every path', async (_, body) => {
    for (const route of routes().filter(({ method }) => method === 'POST')) {
      const request = { body, query: '', parameter: 'github' };
      for (const caller of [0, 1]) await answered(route, { ...request, caller });
      expect(backend.errors, route.path).toEqual([]);
    }
  });
});
