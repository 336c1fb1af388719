import { expect, it } from 'vitest';
import { fetchJson } from './bounded-fetch.ts';

it('sets a deadline and refuses redirects', async () => {
  const requests: RequestInit[] = [];
  const body = await fetchJson(async (_, request) => {
    requests.push(request);
    return Response.json({ ok: true });
  }, 'https://example.com');
  expect(body).toEqual({ ok: true });
  expect(requests[0]?.signal).toBeInstanceOf(AbortSignal);
  expect(requests[0]?.redirect).toBe('error');
});

it.each<[string, () => Promise<Response>, string, string]>([
  [
    'refuses',
    async () => new Response('{}', { status: 403 }),
    'refused',
    'The provider responded with status 403',
  ],
  [
    'is overloaded',
    async () => new Response('', { status: 429 }),
    'unavailable',
    'The provider responded with status 429',
  ],
  [
    'is unavailable',
    async () => new Response('', { status: 502 }),
    'unavailable',
    'The provider responded with status 502',
  ],
  [
    'does not send JSON',
    async () => new Response('<html>'),
    'invalid-response',
    'The provider did not respond with JSON',
  ],
  [
    'sends an endless response',
    async () => new Response(endless()),
    'invalid-response',
    'The provider sent a response that is too large',
  ],
  [
    'cannot be reached',
    () => Promise.reject(new TypeError('fetch failed')),
    'unreachable',
    'The provider could not be reached',
  ],
])('reports a provider that %s', async (_, fetch, reason, message) => {
  await expect(fetchJson(fetch, 'https://example.com')).rejects.toMatchObject({ reason, message });
});

function endless(): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(100_000)),
  });
}
