import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished } from 'vitest';
import { type Changes, listenToChanges } from '../../src/db/changes.ts';
import { createDatabase, createPool, type Database } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrate.ts';
import { createLogFiles } from '../../src/logs/log-files.ts';
import type { LogQuery } from '../../src/logs/log-reader.ts';
import type { LogRecord } from '../../src/logs/log-record.ts';
import type { LogStorage } from '../../src/logs/log-storage.ts';
import { createLogStore, type LogStore, type LogStoreDeps } from '../../src/logs/log-store.ts';
import { createLogTables } from '../../src/logs/log-tables.ts';
import { createTestDatabase, type TestDatabase } from '../db/test-database.ts';

export const APP = '3f2a91aa-0000-4000-8000-000000000000';
export const OTHER_APP = '0badcafe-0000-4000-8000-000000000000';
export const NAME = 'app-3f2a91-1';
export const BUILD = 'app-3f2a91-build-1';
const neverAborted = new AbortController().signal;

/** Where logs are stored: what one store wrote, the next one at the same place finds. */
type LogPlace = {
  folder: string;
  openStorage(): LogStorage;
  listen?: LogStoreDeps['listen'];
};

type StoreOptions = Partial<LogStoreDeps> & {
  place?: LogPlace;
  /** A store that only reads what another one writes. */
  isReader?: boolean;
};

export type OpenStore = typeof openStore;

/** A real store that writes, closed when the test ends. Without `place` it has files in a temporary folder. */
export async function openStore({ place, isReader = false, ...options }: StoreOptions = {}) {
  const { openStorage, listen, folder } = place ?? filesIn(await temporaryFolder());
  const storage = options.storage ?? openStorage();
  const store = createLogStore({
    clock: { now: () => 1_000 },
    ...(listen === undefined ? {} : { listen }),
    ...options,
    storage,
  });
  onTestFinished(() => store.close());
  if (!isReader) await store.resume();
  const read = (query: Partial<LogQuery> = {}) => readLines(store, query);
  const texts = async (tailLines = 1_000) => (await read({ tailLines })).map(({ text }) => text);
  const stream = (name: string) => storage.of(APP, 'output').list(name);
  return {
    folder,
    place: place ?? filesIn(folder),
    storage,
    store,
    read,
    texts,
    segments: () => stream('.'),
    streams: async () => [...(await storage.of(APP, 'output').stored()).streams.keys()].sort(),
  };
}

/** Runs the same tests on files and in a database. */
export function describeStorages(name: string, tests: (open: OpenStore) => void): void {
  describe(`${name}, in files`, () => tests(openStore));
  describe(`${name}, in a database`, () => {
    const { emptyPlace } = setUpLogDatabase();
    tests(async (options = {}) =>
      openStore({ ...options, place: options.place ?? (await emptyPlace()) }),
    );
  });
}

/** A database for the tests of a file. Errors of its connections fail them. */
export function setUpLogDatabase() {
  let database: TestDatabase;
  let pool: pg.Pool;
  let db: Database;
  let changes: Changes;
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  beforeAll(async () => {
    database = await createTestDatabase(migrate);
    pool = createPool(database.connection, onError);
    db = createDatabase(pool);
    changes = await listenToChanges({ connection: database.connection, onError });
  });
  afterAll(async () => {
    expect(errors).toEqual([]);
    await changes.stop();
    await pool.end();
    await database.drop();
  });
  return {
    pool: () => pool,
    db: () => db,
    connection: () => database.connection,
    async emptyPlace(): Promise<LogPlace> {
      await pool.query('delete from deploy.logs');
      return {
        folder: '',
        openStorage: () => createLogTables(db, onError),
        listen: changes.listen,
      };
    },
  };
}

export function filesIn(folder: string): LogPlace {
  return { folder, openStorage: () => createLogFiles(folder) };
}

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'logs-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function readLines(store: LogStore, query: Partial<LogQuery>): Promise<LogRecord[]> {
  const fullQuery = { tailLines: 1_000, follow: false, previous: false, ...query };
  const found: LogRecord[] = [];
  for await (const records of (await store.open(APP, fullQuery, neverAborted))(neverAborted))
    found.push(...records);
  return found;
}
