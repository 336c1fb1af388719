import { generateKeyPairSync, sign } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import pg from 'pg';
import type { BareServerSetUp } from '../support/bare-server.ts';
import { LIST_STATEMENT } from '../support/list-statement.ts';
import { serveRequests } from '../support/serve-requests.ts';

/** Prepared once per connection, like Longshore's statements. */
const READ = { name: 'read', text: 'select id, uses from bare where id = $1' };
const UPDATE = {
  name: 'update',
  text: 'update bare set uses = uses + 1 where id = $1 returning id, uses',
};
const LIST = { name: 'list', text: LIST_STATEMENT };

/** As long as the claims of an access token. */
const CLAIMS = Buffer.alloc(500, 'a');

/**
 * Hono and Postgres only: an empty response, one row read, one row updated, a list of resources; and a signature like
 * that of an access token.
 */
await serveRequests(async ({ database, rows, connections }: BareServerSetUp) => {
  const pool = new pg.Pool({ ...database, max: connections });
  await pool.query('create table if not exists bare (id integer primary key, uses integer)');
  await pool.query('insert into bare select n, 0 from generate_series(0, $1 - 1) n', [rows]);
  const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const app = new Hono()
    .get('/', (context) => context.json({ status: 'ok' }))
    .get('/signature', (context) => {
      const signature = sign('sha256', CLAIMS, { key, dsaEncoding: 'ieee-p1363' });
      return context.json({ signature: signature.toString('base64url') });
    })
    .post('/list', async (context) => {
      const { userId } = await context.req.json<{ userId: string }>();
      const found = await pool.query<{ json: string }>({ ...LIST, values: [userId] });
      return context.body(found.rows[0]?.json ?? '', 200, { 'content-type': 'application/json' });
    })
    .get('/row', async (context) => {
      const found = await pool.query({ ...READ, values: [0] });
      return context.json(found.rows[0]);
    })
    .post('/row', async (context) => {
      const { id } = await context.req.json<{ id: number }>();
      const updated = await pool.query({ ...UPDATE, values: [id] });
      return context.json(updated.rows[0]);
    });
  const port = await new Promise<number>((resolve) => {
    serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, (address: AddressInfo) =>
      resolve(address.port),
    );
  });
  return async () => port;
});
