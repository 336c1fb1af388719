import { Hono } from 'hono';
import { expect, it } from 'vitest';
import { limitBody } from './limit-body.ts';
import type { Problem } from './problem.ts';
import { startHttpServer } from './server.ts';

/** Responds with the length of the body. */
const app = new Hono()
  .use(limitBody(10))
  .post('/', async (context) => context.text(String((await context.req.text()).length)))
  .onError((error, context) => context.text((error as Problem).code, (error as Problem).status));

const streamed = (text: string) => new Blob([text]).stream();

it.each([
  ['as long as allowed', 'x'.repeat(10), '10'],
  ['none', undefined, '0'],
  ['too long', 'x'.repeat(11), 'payload-too-large'],
  ['without a length, as long as allowed', streamed('x'.repeat(10)), '10'],
  ['without a length, too long', streamed('x'.repeat(11)), 'payload-too-large'],
])('a body %s', async (_, body, expected) => {
  const server = await startHttpServer({
    app,
    host: '127.0.0.1',
    port: 0,
    publicUrl: 'http://localhost',
    allowedOrigins: [],
    upgrades: {},
  });
  const init = { method: 'POST', duplex: 'half', ...(body && { body }) } as RequestInit;
  const response = await fetch(`http://127.0.0.1:${server.port}/`, init);
  expect(await response.text()).toBe(expected);
  await server.stop();
});
