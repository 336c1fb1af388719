import { Hono } from 'hono';
import { expect, it } from 'vitest';
import { crossOrigin } from './cross-origin.ts';

const app = new Hono()
  .use(crossOrigin((origin) => origin === 'http://known.example'))
  .get('/', (context) => context.text('hello'))
  .get('/broken', () => {
    throw new Error('broken');
  })
  .onError((_, context) => context.text('no', 500));

const request = (path: string, origin?: string) =>
  app.request(path, { headers: origin === undefined ? {} : { origin } });

it.each([
  ['a response', '/'],
  ['an error response', '/broken'],
])('lets a page of a known origin read %s', async (_, path) => {
  const { headers } = await request(path, 'http://known.example');
  expect(headers.get('access-control-allow-origin')).toBe('http://known.example');
  expect(headers.get('access-control-allow-credentials')).toBe('true');
  expect(headers.get('vary')).toBe('Origin');
});

it.each([['http://other.example'], [''], [undefined]])(
  'sets only Vary for other origins: origin %o',
  async (origin) => {
    const response = await request('/', origin);
    expect(await response.text()).toBe('hello');
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    expect(response.headers.get('vary')).toBe('Origin');
  },
);

it('responds to a preflight request', async () => {
  const response = await app.request('/', {
    method: 'OPTIONS',
    headers: {
      origin: 'http://known.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    },
  });
  expect(response.status).toBe(204);
  expect(Object.fromEntries(response.headers)).toEqual({
    'access-control-allow-credentials': 'true',
    'access-control-allow-headers': 'authorization,content-type',
    'access-control-allow-methods': 'GET,HEAD,PUT,POST,DELETE,PATCH',
    'access-control-allow-origin': 'http://known.example',
    'access-control-expose-headers': 'Retry-After,ETag,Content-Range,Content-Disposition,X-Error',
    'access-control-max-age': '86400',
    vary: 'Origin, Access-Control-Request-Headers',
  });
});
