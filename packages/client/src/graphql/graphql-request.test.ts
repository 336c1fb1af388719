import { createFakeAuth, createSimulatedClock } from '@longshore/testkit';
import { describe, expect, it } from 'vitest';
import type { Fetch } from '../ports.ts';
import { createGraphqlRequest } from './graphql-request.ts';

const invalidResponse = {
  status: 0,
  error: 'invalid-response',
  message: 'incorrect response data from GraphQL server',
};
const rejectedToken = {
  errors: [{ message: 'Could not verify JWT: JWTExpired', extensions: { code: 'invalid-jwt' } }],
};

describe('a GraphQL request', () => {
  it('sends document, variables and the bearer token', async () => {
    const { request, requests } = prepare(() => Response.json({ data: { n: 1 } }));
    expect(await request('query Q { n }', { a: 1 })).toEqual({ ok: true, data: { n: 1 } });
    expect(requests).toEqual([
      {
        token: 'Bearer token-1',
        role: null,
        accept: '*/*',
        contentType: 'application/json',
        body: { operationName: 'Q', query: 'query Q { n }', variables: { a: 1 } },
      },
    ]);
  });

  it('sends the role public without a session', async () => {
    const { request, requests, auth } = prepare(() => Response.json({ data: {} }));
    auth.signOut();
    await request('{ n }');
    expect(requests).toMatchObject([{ token: null, role: 'public' }]);
  });

  it.each([
    ['no JSON', new Response('<html>'), invalidResponse],
    ['no data', Response.json({}), invalidResponse],
    ['null as data', Response.json({ data: null }), invalidResponse],
    ['a list', Response.json([1]), invalidResponse],
    [
      'errors',
      Response.json({ errors: [{ message: 'No', extensions: { code: 'access-denied' } }] }),
      { status: 200, error: 'access-denied', message: 'No' },
    ],
    [
      'a failed status with a message',
      Response.json({ status: 413, error: 'too-large', message: 'Too large' }, { status: 413 }),
      { status: 413, error: 'unknown', message: 'Too large' },
    ],
    [
      'a failed status without one',
      new Response('', { status: 502, statusText: 'Bad Gateway' }),
      { status: 502, error: 'Bad Gateway', message: 'Something went wrong' },
    ],
  ])('with the response %s returns an error', async (_, response, error) => {
    const { request } = prepare(() => response);
    expect(await request('{ n }')).toEqual({ ok: false, error });
  });

  it('returns a network error when the connection fails', async () => {
    const { request } = prepare(() => {
      throw new TypeError('fetch failed');
    });
    expect(await request('{ n }')).toMatchObject({ error: { status: 500, error: 'unknown' } });
  });

  it('returns an abort error when aborted', async () => {
    const { request } = prepare(() => Response.json({ data: {} }));
    const result = await request('{ n }', {}, { signal: AbortSignal.abort() });
    expect(result).toMatchObject({ error: { status: 0, error: 'abort-error' } });
  });

  it('is repeated once, with a new token, if the server rejects the old one', async () => {
    const { request, requests } = prepare((token) =>
      Response.json(token === 'Bearer token-2' ? { data: { n: 1 } } : rejectedToken),
    );
    expect(await request('{ n }')).toEqual({ ok: true, data: { n: 1 } });
    expect(requests).toHaveLength(2);
  });

  it('is not sent with role public when the session cannot be refreshed', async () => {
    const { request, requests, auth } = prepare(() => Response.json(rejectedToken));
    auth.setNextToken(undefined);
    expect(await request('{ n }')).toMatchObject({ error: { message: 'Network Error' } });
    expect(requests).toHaveLength(1);
  });

  it('times out if the server never responds', async () => {
    const clock = createSimulatedClock();
    const fetch: Fetch = (_, init) =>
      new Promise((_, reject) => init?.signal?.addEventListener('abort', reject));
    const request = createGraphqlRequest({ url: 'http://b', clock, fetch, auth: createFakeAuth() });
    const result = request('{ n }');
    await clock.advance(30_000);
    expect(await result).toMatchObject({ error: { status: 500, error: 'unknown' } });
  });
});

function prepare(respond: (token: string | null) => Response) {
  const auth = createFakeAuth();
  const requests: unknown[] = [];
  const fetch: Fetch = async (url, init) => {
    init?.signal?.throwIfAborted();
    const sent = new Request(url, init);
    const { headers } = sent;
    const token = headers.get('authorization');
    requests.push({
      token,
      role: headers.get('role'),
      accept: headers.get('accept'),
      contentType: headers.get('content-type'),
      body: await sent.json(),
    });
    return respond(token);
  };
  const clock = createSimulatedClock();
  const request = createGraphqlRequest({ url: 'http://backend/v1/graphql', clock, fetch, auth });
  return { request, requests, auth };
}
