import { randomBytes, randomUUID } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AppValues } from '@longshore/contract';
import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { createTestDatabase } from '../../test/db/test-database.ts';
import { appValues } from '../../test/values.ts';
import { createDatabase, createPool, type Database } from '../db/database.ts';
import { startPostgres } from '../db/embedded/start-postgres.ts';
import { migrate, runSilently } from '../db/migrate.ts';
import { StartProblem } from '../lifecycle/start-problem.ts';
import { desiredApp } from '../reconciler/desired.ts';
import { createKeyFolder } from '../secrets/key-folder.ts';
import { openVariables } from './open-variables.ts';
import { createReconcilerStore } from './reconciler-store.ts';

let folder: string;
let pool: pg.Pool;
let db: Database;
let closeDatabase: () => Promise<void>;
const PLANTED = `planted-${randomUUID()}`;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longshore-variables-'));
  await chmod(folder, 0o711);
});
afterEach(async () => {
  await closeDatabase();
  await rm(folder, { recursive: true });
});

async function openTestDatabase(): Promise<void> {
  const database = await createTestDatabase(migrate);
  pool = createPool(database.connection, () => {});
  db = createDatabase(pool);
  closeDatabase = async () => {
    await pool.end();
    await database.drop();
  };
}

/** Most external databases have a user that owns the database and may do nothing else. */
async function openDatabaseOfUser(): Promise<void> {
  const server = inject('postgres');
  const administrator = createPool({ ...server, database: 'postgres' }, () => {});
  const name = `owner_${randomUUID().slice(0, 8)}`;
  await administrator.query(`create role ${name} login`);
  await administrator.query(`create database ${name} owner ${name}`);
  pool = createPool({ ...server, user: name, database: name }, () => {});
  db = createDatabase(pool);
  closeDatabase = async () => {
    await pool.end();
    await administrator.query(`drop database ${name} with (force)`);
    await administrator.query(`drop role ${name}`);
    await administrator.end();
  };
  await migrate(pool);
}

async function openEmbeddedDatabase(): Promise<void> {
  const postgres = await startPostgres({
    dataDir: folder,
    isRoot: process.getuid?.() === 0,
    log: () => {},
    signal: AbortSignal.timeout(60_000),
    settings: [['fsync', 'off']],
  });
  pool = createPool(postgres.connection, () => {});
  db = createDatabase(pool);
  await migrate(pool);
  closeDatabase = async () => {
    await pool.end();
    await postgres.stop();
  };
}

const open = (changes: Partial<Parameters<typeof openVariables>[0]> = {}) =>
  openVariables({
    ...{ db, pool, isEmbedded: false, step: runSilently, warn: expect.unreachable },
    keys: createKeyFolder(join(folder, 'keys')),
    ...changes,
  });

const SETTINGS = {
  ...appValues(randomUUID()),
  publicAccess: { enabled: false, domain: 'auto', baseDomain: '' },
};

/** The hash of the settings, as the version before stored it with a release. */
const plainHash = (id: string, values: AppValues) =>
  desiredApp(
    {
      ...{ id, ownerId: '', generation: 1, deleted: false, values, redeploys: 0 },
      ...{ routedDomains: [], isRetryRequested: false },
    },
    'localhost',
  ).desiredHash;

/** An app with two releases and an edit since, as the version before stored it. */
async function storePlainApp(): Promise<string> {
  const user = randomUUID();
  await pool.query('insert into auth.users (id) values ($1)', [user]);
  const valuesWith = (env: Record<string, string>) => ({ ...SETTINGS, env });
  const first = valuesWith({ TOKEN: `${PLANTED}-1`, KEPT: 'kept' });
  const { rows } = await pool.query(
    `insert into public.resources (user_id, chart_name, chart_version, values)
     values ($1, 'longshore-app', '0.0', $2) returning id`,
    [user, first],
  );
  const { id } = rows[0];
  for (const [number, env] of [first.env, { TOKEN: `${PLANTED}-2`, KEPT: 'kept' }].entries()) {
    await pool.query('update public.resources set values = $2 where id = $1', [
      id,
      valuesWith(env),
    ]);
    const { env: _, ...madeOf } = valuesWith(env);
    await pool.query(
      `insert into deploy.releases (app_id, number, generation, wish, made_of, env, outcome)
       values ($1, $2::int, $2::int, $3, $4, $5, 'live')`,
      [id, number + 1, plainHash(id, valuesWith(env)), madeOf, env],
    );
  }
  return id;
}

/** Another one after the table was rewritten. */
async function fileOfApps(): Promise<string> {
  const { rows } = await pool.query(`select pg_relation_filepath('public.resources') as path`);
  return rows[0].path;
}

const everyRow = async () => {
  const [resources, releases, events] = await Promise.all(
    ['public.resources', 'deploy.releases', 'deploy.events'].map(
      async (table) => (await pool.query(`select * from ${table} order by 1, 2`)).rows,
    ),
  );
  return { resources, releases, events };
};

describe('variables that an older version stored as plain text', () => {
  beforeEach(openTestDatabase);

  it('are encrypted, and read as before', async () => {
    const id = await storePlainApp();
    const variables = await open();
    const text = JSON.stringify(await everyRow());
    expect(text).not.toContain(PLANTED);
    expect(text).not.toContain('kept');
    const store = createReconcilerStore({ db, variables });
    expect((await store.app(id))?.values).toEqual({
      ...SETTINGS,
      env: { TOKEN: `${PLANTED}-2`, KEPT: 'kept' },
    });
    const { last, live } = await store.releases(id);
    expect(last?.values.env).toEqual({ TOKEN: `${PLANTED}-2`, KEPT: 'kept' });
    expect(live.map(({ values }) => values.env.TOKEN)).toEqual([`${PLANTED}-2`, `${PLANTED}-1`]);
  });

  it('change nothing else: no generation, no status, no event, no mark', async () => {
    await storePlainApp();
    const before = await everyRow();
    await open();
    const after = await everyRow();
    expect(after.events).toEqual(before.events);
    const withoutVariables = (row: Record<string, unknown>) => ({
      ...row,
      values: { ...(row.values as object), env: undefined },
      env: undefined,
      wish: undefined,
    });
    for (const table of ['resources', 'releases'] as const) {
      expect(after[table]?.map(withoutVariables)).toEqual(before[table]?.map(withoutVariables));
    }
  });

  it('need no new release: the stored hash is the one of the same settings, but not guessable', async () => {
    const id = await storePlainApp();
    const variables = await open();
    const store = createReconcilerStore({ db, variables });
    const app = await store.app(id);
    const { last } = await store.releases(id);
    if (app === undefined) throw new Error('The app is missing');
    const plain = desiredApp(app, 'localhost').desiredHash;
    expect(last?.desiredHash).toBe(store.desiredHashOf(id, plain));
    expect(last?.desiredHash).not.toBe(plain);
    // Triggers still compare variables by their hashes.
    await store.addRelease({ appId: id, generation: 3, desiredHash: 'x', values: app.values });
    const { rows } = await pool.query('select env_marks from deploy.releases order by number');
    expect(rows.map((row) => row.env_marks)).toEqual([
      { TOKEN: 1, KEPT: 1 },
      { TOKEN: 2, KEPT: 1 },
      { TOKEN: 2, KEPT: 1 },
    ]);
  });

  it('are encrypted once, and a value that looks like a hash like any other', async () => {
    const id = await storePlainApp();
    const lookalike = `sealed:${'A'.repeat(43)}`;
    await pool.query(
      `update public.resources set values = jsonb_set(values, '{env,TOKEN}', to_jsonb($1::text))`,
      [lookalike],
    );
    await open();
    const before = await everyRow();
    const variables = await open();
    expect(await everyRow()).toEqual(before);
    const app = await createReconcilerStore({ db, variables }).app(id);
    expect(app?.values.env.TOKEN).toBe(lookalike);
  });

  it('are encrypted by the next start if this one fails in the middle', async () => {
    const id = await storePlainApp();
    const before = await everyRow();
    await pool.query(
      `create function fail() returns trigger language plpgsql as $$ begin raise exception 'disk full'; end $$;
       create trigger fail before insert on public.longshore_migrations for each row execute function fail()`,
    );
    await expect(open()).rejects.toThrow('disk full');
    expect(await everyRow()).toEqual(before);
    await pool.query('drop function fail cascade');
    const app = await createReconcilerStore({ db, variables: await open() }).app(id);
    expect(app?.values.env.TOKEN).toBe(`${PLANTED}-2`);
  });

  it('are read if their plain text cannot be removed yet; the next start tries again', async () => {
    const id = await storePlainApp();
    const before = await fileOfApps();
    const full = {
      connect: () => Promise.reject(new Error('No space left')),
    } as unknown as pg.Pool;
    const warn = vi.fn();
    const variables = await open({ pool: full, warn });
    expect(warn.mock.calls.join()).toContain('(No space left). The next start tries again.');
    const app = await createReconcilerStore({ db, variables }).app(id);
    expect(app?.values.env.TOKEN).toBe(`${PLANTED}-2`);
    expect(await fileOfApps()).toBe(before);
    await open();
    expect(await fileOfApps()).not.toBe(before);
  });

  it('may have any form', async () => {
    const id = await storePlainApp();
    for (const env of ['null', '[]', '"text"', '{"A b": 1, "\\"": null}']) {
      await pool.query(`delete from public.longshore_migrations where name like '%:%'`);
      await pool.query(`update public.resources set values = jsonb_set(values, '{env}', $1)`, [
        env,
      ]);
      await open();
    }
    const variables = await open();
    const { rows } = await pool.query(`select values -> 'env' as env from public.resources`);
    expect(await variables.readEnvs(db, [{ appId: id, env: rows[0].env }])).toEqual([
      { 'A b': '1', '"': 'null' },
    ]);
  });

  it('may have longer names than an index of Postgres allows', async () => {
    const id = await storePlainApp();
    const name = `A${randomBytes(10_000).toString('hex')}`;
    await pool.query(
      `update public.resources set values = jsonb_set(values, array['env', $1], '"long"')`,
      [name],
    );
    const app = await createReconcilerStore({ db, variables: await open() }).app(id);
    expect(app?.values.env[name]).toBe('long');
  });
});

describe('the keys', () => {
  beforeEach(openTestDatabase);

  it.each(['seal.key', 'hash.key'])('are required: %s', async (name) => {
    await storePlainApp();
    await open();
    const path = join(folder, 'keys', name);
    const key = await readFile(path, 'utf8');
    await rm(path);
    await expect(open()).rejects.toThrow(StartProblem);
    await expect(open()).rejects.toThrow(`${path} is missing`);
    await writeFile(path, key.replaceAll(/./g, '0'));
    await expect(open()).rejects.toThrow(`${path} does not fit the database`);
    await writeFile(path, key);
    await open();
  });

  it('are created for a database without secrets', async () => {
    await open();
    expect((await readdir(join(folder, 'keys'))).sort()).toEqual(['hash.key', 'seal.key']);
  });
});

it('are encrypted by a user of the database without special rights', async () => {
  await openDatabaseOfUser();
  const id = await storePlainApp();
  const before = await fileOfApps();
  const app = await createReconcilerStore({ db, variables: await open() }).app(id);
  expect(app?.values.env.TOKEN).toBe(`${PLANTED}-2`);
  expect(await fileOfApps()).not.toBe(before);
});

describe('the files of the embedded database', () => {
  beforeEach(openEmbeddedDatabase);

  it('contain no plain text of variables after the upgrade', async () => {
    await storePlainApp();
    await pool.query('analyze');
    // In files of the log that Postgres has prepared for later, too.
    for (let count = 0; count < 4; count += 1) {
      await pool.query('select pg_switch_wal()');
      await pool.query('checkpoint');
    }
    await storePlainApp();
    await pool.query('checkpoint');
    expect(await filesWith(PLANTED)).not.toEqual([]);
    await open({ isEmbedded: true });
    expect(await filesWith(PLANTED)).toEqual([]);
  }, 60_000);
});

async function filesWith(text: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((it) => join(it.parentPath, it.name));
  const contents = await Promise.all(paths.map((path) => readFile(path).catch(() => Buffer.of())));
  return paths.filter((_, at) => contents[at]?.includes(text));
}
