import pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/db/test-database.ts';
import { migrate } from './migrate.ts';
import { type ServersLock, takeServersLock } from './servers-lock.ts';

let database: TestDatabase;
let clients: pg.Client[];
beforeEach(async () => {
  database = await createTestDatabase(migrate);
  clients = [];
});
afterEach(async () => {
  for (const client of clients) await client.end();
  await database.drop();
});

async function take(lock: ServersLock): Promise<pg.Client> {
  const client = new pg.Client(database.connection);
  await client.connect();
  clients.push(client);
  await takeServersLock(lock)(client);
  return client;
}

it('is held by any number of servers', async () => {
  await take('shared');
  await take('shared');
  await expect(take('exclusive')).rejects.toThrow('Servers are running on this database');
});

it('keeps servers from starting while a command holds it alone', async () => {
  const command = await take('exclusive');
  await expect(take('shared')).rejects.toThrow('being rotated');
  await command.query('select pg_advisory_unlock_all()');
  await take('shared');
});
