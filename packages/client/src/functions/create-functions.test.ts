import { createFakeAuth, createSimulatedClock } from '@longshore/testkit';
import { describe, expect, it } from 'vitest';
import type { Fetch } from '../ports.ts';
import { createFunctions } from './create-functions.ts';

describe('a function', () => {
  it('receives JSON as the signed-in user', async () => {
    const sent: unknown[] = [];
    const functions = prepare(async (url, init) => {
      sent.push({ url, ...init, signal: undefined });
      return Response.json({ sum: 3 });
    });
    expect(await functions.call('/add', { a: 1 })).toEqual({
      ok: true,
      data: { data: { sum: 3 }, status: 200 },
    });
    expect(sent).toEqual([
      {
        url: 'http://b/add',
        method: 'POST',
        headers: { 'content-type': 'application/json', Authorization: 'Bearer token-1' },
        body: '{"a":1}',
        signal: undefined,
      },
    ]);
  });

  it('may respond with text', async () => {
    const functions = prepare(async () => new Response('hi'));
    expect(await functions.call('hello')).toEqual({ ok: true, data: { data: 'hi', status: 200 } });
  });

  it.each<[string, Fetch, object]>([
    [
      'responds with an error status',
      async () => new Response('no', { status: 418, statusText: 'Teapot' }),
      { status: 418, error: 'Teapot', message: 'no' },
    ],
    [
      'cannot be reached',
      async () => {
        throw new TypeError('fetch failed');
      },
      { status: 500, error: 'unknown' },
    ],
  ])('that %s returns an error', async (_, fetch, error) => {
    expect(await prepare(fetch).call('/f')).toMatchObject({ ok: false, error });
  });

  it('that is aborted fails with abort-error', async () => {
    const functions = prepare(async (_, init) => {
      init?.signal?.throwIfAborted();
      return new Response();
    });
    expect(await functions.call('/f', {}, { signal: AbortSignal.abort() })).toMatchObject({
      error: { status: 0, error: 'abort-error' },
    });
  });
});

function prepare(fetch: Fetch) {
  return createFunctions({
    url: 'http://b',
    clock: createSimulatedClock(),
    fetch,
    auth: createFakeAuth(),
  });
}
