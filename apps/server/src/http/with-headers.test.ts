import { Hono } from 'hono';
import { expect, it } from 'vitest';
import { withHeaders } from './with-headers.ts';

const app = new Hono()
  .use((context, next) =>
    withHeaders(
      context,
      [
        ['X-Example', 'yes'],
        ['Vary', 'Origin'],
      ],
      next,
    ),
  )
  .get('/created-by-the-context', (context) => context.text('hello'))
  .get('/created-directly', () => new Response('hello', { headers: { Vary: 'Accept' } }))
  .get('/thrown', () => {
    throw new Error('no');
  })
  .onError((_, context) => context.text('hello', 500));

it.each([
  ['/created-by-the-context', 'Origin'],
  ['/created-directly', 'Accept, Origin'],
  ['/thrown', 'Origin'],
])('sets headers on a response %s', async (path, vary) => {
  const response = await app.request(path);
  expect(await response.text()).toBe('hello');
  expect(response.headers.get('x-example')).toBe('yes');
  expect(response.headers.get('vary')).toBe(vary);
});
