import { expect, it } from 'vitest';
import { askProvider } from './ask-provider.ts';

it('asks with a deadline and follows no redirect', async () => {
  const inits: RequestInit[] = [];
  const answer = await askProvider(async (_, init) => {
    inits.push(init ?? {});
    return Response.json({ ok: true });
  }, 'https://example.com');
  expect(answer).toEqual({ ok: true });
  expect(inits[0]?.signal).toBeInstanceOf(AbortSignal);
  expect(inits[0]?.redirect).toBe('error');
});

it.each<[string, () => Promise<Response>, string]>([
  ['refuses', async () => new Response('{}', { status: 403 }), 'answered 403'],
  ['speaks no JSON', async () => new Response('<html>'), 'gave no readable answer'],
  ['never ends', async () => new Response(endless()), 'answered too much'],
  ['is not there', () => Promise.reject(new TypeError('fetch failed')), 'gave no readable answer'],
])('tells of one that %s', async (_, fetch, message) => {
  await expect(askProvider(fetch, 'https://example.com')).rejects.toThrow(message);
});

function endless(): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(100_000)),
  });
}
