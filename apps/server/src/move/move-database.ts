import { randomInt } from 'node:crypto';
import pg from 'pg';
import type { Connection } from '../db/database.ts';
import { createSchema } from '../db/migrate.ts';
import { StartProblem } from '../lifecycle/start-problem.ts';
import { sealForKeys } from '../secrets/key-table.ts';
import type { Secret } from '../secrets/secret.ts';
import {
  type CopiedTables,
  copyTables,
  isEmptyDatabase,
  type Table,
  tablesOf,
} from './copy-tables.ts';
import type { MovedUpload } from './move-uploads.ts';

const KEEP_ALIVE_MS = 30_000;
const CONNECT_MS = 10_000;
/** Of one statement: checking the foreign keys of a large table takes long. */
const STATEMENT_MS = 3_600_000;

type MoveDatabaseDeps = {
  source: pg.ClientBase;
  target: pg.ClientBase;
  masterKey: Secret;
  /** By name. */
  keys: Map<string, string>;
  uploads: MovedUpload[];
  signal: AbortSignal;
};

/** Runs the work with connections to both databases, on one snapshot of the source, which it cannot change. */
export async function withDatabases<Result>(
  connections: { source: Connection; target: Secret },
  work: (clients: { source: pg.Client; target: pg.Client }) => Promise<Result>,
): Promise<Result> {
  const source = createClient(connections.source);
  const target = createClient({ connectionString: connections.target.reveal() });
  try {
    await source.connect();
    // The URL contains a password, so the message does not repeat it.
    await target.connect().catch((error) => {
      const { code = 'no response' } = error as { code?: string };
      throw new StartProblem(`Cannot connect to the database of the target (${code}).`, {
        cause: error,
      });
    });
    await source.query('begin isolation level repeatable read read only');
    return await work({ source, target });
  } finally {
    await Promise.all([source.end(), target.end()]);
  }
}

function createClient(connection: Connection): pg.Client {
  const client = new pg.Client({
    ...connection,
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: STATEMENT_MS,
    query_timeout: STATEMENT_MS,
    // It is idle while files are copied. A firewall must not drop it.
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    application_name: 'longshore move',
  });
  // The failing query reports it. An unhandled error event would end the process.
  client.on('error', () => {});
  return client;
}

/** Throws a `StartProblem` if the target cannot be filled. */
export async function requireEmptyTarget({
  source,
  target,
}: Pick<MoveDatabaseDeps, 'source' | 'target'>): Promise<void> {
  if (await isSameDatabase(source, target)) {
    throw new StartProblem('Source and target are the same database.');
  }
  if (!(await isEmptyDatabase(target))) {
    throw new StartProblem(
      'The database of the target is not empty. Create an empty one, and start no server on it before the move.',
    );
  }
}

/** Advisory locks belong to a database, whatever its address. */
async function isSameDatabase(source: pg.ClientBase, target: pg.ClientBase): Promise<boolean> {
  const key = randomInt(2 ** 31, 2 ** 47);
  await source.query('select pg_advisory_lock($1)', [key]);
  try {
    const { rows } = await target.query('select pg_try_advisory_lock($1) as taken', [key]);
    if (rows[0]?.taken !== true) return true;
    await target.query('select pg_advisory_unlock($1)', [key]);
    return false;
  } finally {
    await source.query('select pg_advisory_unlock($1)', [key]);
  }
}

/** Fills the target in one transaction. If anything fails, it is as empty as before. */
export async function moveDatabase(deps: MoveDatabaseDeps): Promise<CopiedTables> {
  const { source, target } = deps;
  await target.query('begin');
  try {
    await createSchema(target);
    await requireSameSchema(source, target);
    const copied = await copyTables(deps);
    await insertKeys(deps);
    await insertUploads(deps);
    await target.query('commit');
    return copied;
  } catch (error) {
    // The connection may be what failed. Its end rolls back, too.
    await target.query('rollback').catch(() => {});
    throw error;
  }
}

async function insertKeys({ target, keys, masterKey }: MoveDatabaseDeps): Promise<void> {
  const { encrypt } = sealForKeys(masterKey);
  const insert = 'insert into deploy.keys (name, encrypted) values ($1, $2)';
  for (const [name, text] of keys) await target.query(insert, [name, encrypt(name, text)]);
}

async function insertUploads({ target, uploads }: MoveDatabaseDeps): Promise<void> {
  const insert =
    'insert into deploy.uploads (app_id, digest, key, sha256, bytes) values ($1, $2, $3, $4, $5)';
  for (const { appId, digest, key, sha256, bytes } of uploads) {
    await target.query(insert, [appId, digest, key, sha256, bytes]);
  }
}

/** The source may have further tables, of others, and records of steps beside the migrations. */
async function requireSameSchema(source: pg.ClientBase, target: pg.ClientBase): Promise<void> {
  const migrations = async (client: pg.ClientBase) =>
    (
      await client.query(
        `select name from public.longshore_migrations where name like '%.sql' order by name`,
      )
    ).rows;
  const isSameVersion =
    JSON.stringify(await migrations(source)) === JSON.stringify(await migrations(target));
  const columns = new Map((await tablesOf(source)).map((it) => [it.name, it.columns.join()]));
  const hasTable = (it: Table) => columns.get(it.name) === it.columns.join();
  if (isSameVersion && (await tablesOf(target)).every(hasTable)) return;
  throw new StartProblem(
    'The database of this installation was made by another version of Longshore. Move it with that version.',
  );
}
