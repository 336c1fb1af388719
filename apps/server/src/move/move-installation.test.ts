import { randomBytes } from 'node:crypto';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Session } from '@longshore/contract';
import { type GitHost, startGitlabHost } from '@longshore/testkit/git-hosts';
import { generateSync } from 'otplib';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Backend, bearer, startBackend, stopWithoutErrors } from '../../test/backend.ts';
import { createEmptyDatabase, type TestDatabase } from '../../test/db/test-database.ts';
import { fileClient } from '../../test/storage/file-client.ts';
import { hasS3Server, type S3Server, startS3Server } from '../../test/storage/s3-server.ts';
import { uploadFixture } from '../../test/uploads/upload-fixture.ts';
import { openVariables } from '../apps/open-variables.ts';
import { archivePath } from '../build/unpack-upload.ts';
import { installationId } from '../db/open-database.ts';
import { createSeal } from '../secrets/seal.ts';
import { Secret } from '../secrets/secret.ts';
import { tablesOf } from './copy-tables.ts';
import { moveInstallation } from './move-installation.ts';

const MASTER_KEY = new Secret('a master key of at least 32 characters');
/** Compiling the object store, once per machine. */
const COMPILE_MS = 900_000;
const PASSWORD = 'correct horse';
/** `deploy.uploads` is empty in the source. */
const NOT_MOVED = ['deploy.keys', 'deploy.leader', 'deploy.rate_limits', 'deploy.uploads'];

describe.skipIf(!hasS3Server)('a move', () => {
  let store: S3Server;
  let gitlab: GitHost;
  let source: Backend;
  let ada: Session;
  let totpSecret: string;
  let pat: string;
  let installation: string;
  let target: TestDatabase;
  const contents = new Map<string, Buffer>();

  const { newApp, newPat, upload } = uploadFixture(() => ({ backend: source, user: ada }));

  beforeAll(async () => {
    [store, gitlab] = [await startS3Server(), await startGitlabHost()];
    source = await startBackend({ connect: { allowLocalSources: true } });
    ada = await source.signUp('ada@example.com');
    installation = await installationId(source.db);
    await fillSource();
  }, COMPILE_MS);
  afterAll(async () => {
    await stopWithoutErrors(source);
    await gitlab.close();
    await store.stop();
  });
  beforeEach(async () => {
    target = await createEmptyDatabase();
    return () => target.drop();
  });

  /** Something in every part of an installation. */
  async function fillSource(): Promise<void> {
    const { pool, db, keys } = source;
    pat = await newPat(ada);
    const token = gitlab.state.issueToken('grace', 'glpat-that-nobody-guesses');
    const account = { provider: 'gitlab', url: gitlab.url, token };
    const connection = await source.post('/v1/connect/auth/token', account, bearer(ada));
    expect(connection.status).toBe(200);
    const files = fileClient(source, ada);
    for (const bytes of [randomBytes(100_000), Buffer.from('hello')]) {
      contents.set((await files.upload(new Uint8Array(bytes))).id, bytes);
    }
    const opened = { db, pool, keys, isEmbedded: true, warn: () => {} };
    const variables = await openVariables({ ...opened, step: (_, work) => work() });
    const appId = await newApp();
    expect((await upload(appId, bearer(ada))).status).toBe(200);
    await variables.store(db, appId, { TOKEN: 'a value of an app' });
    await pool.query(`update public.resources set values = values || $2 where id = $1`, [
      appId,
      { env: variables.hashesOf(appId, { TOKEN: 'a value of an app' }) },
    ]);
    await pool.query(
      `insert into deploy.releases (app_id, number, generation, wish, made_of, env)
       values ($1, 1, 1, 'hash', '{}', '{"A": ""}')`,
      [appId],
    );
    const { encrypt } = await createSeal(keys);
    await pool.query(
      `insert into deploy.certificates (domain, chain, sealed_key, not_after)
       values ('shop.example', 'chain', $1, now())`,
      [encrypt(new Secret('the key of a certificate'), 'certificate shop.example')],
    );
    await pool.query(
      `insert into deploy.traffic_minutes
       select $1, timestamptz '2026-01-01' + minute * interval '1 minute', '{9007199254740993,null}', '{}', 1, 2
       from generate_series(1, 6000) as minute`,
      [appId],
    );
    await pool.query(
      `insert into deploy.usage values ($1, 1, '2026-01-01 00:00:00.123456+02', 'a "b"\\,(c)', 1, null, 2)`,
      [appId],
    );
    await pool.query(`insert into deploy.leader (address) values ('10.0.0.1:1337')`);
    await enableTotp();
  }

  async function enableTotp(): Promise<void> {
    const { body } = await source.request<{ totpSecret: string }>('/v1/auth/mfa/totp/generate', {
      headers: bearer(ada),
    });
    totpSecret = body.totpSecret;
    await source.post(
      '/v1/auth/user/mfa',
      { code: codeAt(Date.now()), activeMfaType: 'totp' },
      bearer(ada),
    );
  }

  const codeAt = (now: number) =>
    generateSync({ secret: totpSecret, epoch: Math.floor(now / 1_000) });

  const urlOf = ({ host, user, database }: TestDatabase['connection']) =>
    new Secret(`postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`);

  const move = ({ to = target, prefix = 'test/', signal = new AbortController().signal } = {}) =>
    moveInstallation(
      {
        connection: source.connection,
        dataDir: source.folder,
        uploadsDir: source.folder,
        installation,
        s3: undefined,
      },
      {
        databaseUrl: urlOf(to.connection),
        masterKey: MASTER_KEY,
        s3: { ...store.settings, prefix },
      },
      signal,
    );

  async function connected<Result>(
    connection: TestDatabase['connection'],
    work: (client: pg.Client) => Promise<Result>,
  ): Promise<Result> {
    const client = new pg.Client(connection);
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }

  /** Every row of every table, and the next value of every sequence. */
  const dump = (connection: TestDatabase['connection']) =>
    connected(connection, async (client) => {
      await client.query(`set timezone = 'UTC'`);
      const rows: Record<string, unknown> = {};
      for (const { name } of await tablesOf(client)) {
        if (NOT_MOVED.includes(name)) continue;
        const found = await client.query(`select t::text as row from ${name} t order by 1`);
        rows[name] = found.rows.map(({ row }) => row);
      }
      const sequences = await client.query(
        'select schemaname, sequencename, last_value from pg_sequences order by 1, 2',
      );
      return { rows, sequences: sequences.rows };
    });

  /** What protects rows: constraints, indexes and triggers. */
  const rules = (connection: TestDatabase['connection']) =>
    connected(connection, async (client) => {
      const queries = [
        `select conrelid::regclass::text, conname, pg_get_constraintdef(oid), convalidated from pg_constraint
         where connamespace::regnamespace::text not in ('pg_catalog', 'information_schema') order by 1, 2`,
        `select tgrelid::regclass::text, tgname, tgenabled from pg_trigger where not tgisinternal order by 1, 2`,
        `select schemaname, indexname, indexdef from pg_indexes where schemaname !~ '^pg_' order by 1, 2`,
      ];
      const found = [];
      for (const query of queries) found.push((await client.query(query)).rows);
      return found;
    });

  it('copies every row and sequence exactly, and changes nothing in the source', async () => {
    const before = await dump(source.connection);
    const moved = await move();
    const [ours, theirs] = [await dump(source.connection), await dump(target.connection)];
    expect(ours).toEqual(before);
    expect(theirs).toEqual(ours);
    expect(await rules(target.connection)).toEqual(await rules(source.connection));
    const rows = Object.values(ours.rows).flat();
    expect(moved).toMatchObject({
      rows: rows.length,
      tables: Object.keys(ours.rows).length + 1,
      files: 2,
      bytes: 100_005,
      uploads: 1,
      unreadable: [],
      keys: (await readdir(join(source.folder, 'keys'))).length,
    });
    expect(rows.length).toBeGreaterThan(6_000);
    const kept = await connected(target.connection, (client) =>
      client.query('select from deploy.leader'),
    );
    expect(kept.rows).toEqual([]);
  });

  describe('and the servers there', () => {
    let moved: Backend;
    beforeEach(async () => {
      await move();
      moved = await startBackend({
        database: target,
        masterKey: MASTER_KEY,
        s3: store.settings,
        connect: { allowLocalSources: true },
      });
      return () => stopWithoutErrors(moved);
    });

    it('accept passwords, second factors, sessions and tokens of before', async () => {
      const { body } = await moved.post<{ mfa: { ticket: string } }>(
        '/v1/auth/signin/email-password',
        { email: 'ada@example.com', password: PASSWORD },
      );
      // The code of the next half minute: one that was used is not accepted again.
      moved.clock.ahead = 30_000;
      const factor = { ticket: body.mfa.ticket, otp: codeAt(moved.clock.now()) };
      const second = await moved.post('/v1/auth/signin/mfa/totp', factor);
      expect(second.body).toMatchObject({ session: { user: { email: 'ada@example.com' } } });
      const refreshed = await moved.post('/v1/auth/token', { refreshToken: ada.refreshToken });
      expect(refreshed.status).toBe(200);
      expect((await moved.request('/v1/auth/user', { headers: bearer(ada) })).status).toBe(200);
      const signedIn = await moved.post('/v1/auth/signin/pat', { personalAccessToken: pat });
      expect(signedIn.status).toBe(200);
    });

    it('serve the files of before', async () => {
      expect(contents.size).toBe(2);
      for (const [id, bytes] of contents) {
        const response = await fileClient(moved, ada).request(`/files/${id}`);
        expect(response.status).toBe(200);
        expect(bytes.equals(Buffer.from(await response.arrayBuffer()))).toBe(true);
      }
    });

    it('build the source code that was uploaded before', async () => {
      const { rows } = await moved.pool.query(
        `select id, values #>> '{source,ref}' as digest from public.resources where values #>> '{source,ref}' is not null`,
      );
      const [{ id: appId, digest }] = rows;
      const path = join(moved.folder, 'copy.tar.gz');
      const { signal } = new AbortController();
      expect(await moved.uploads.download?.({ appId, digest }, path, signal)).toBe(true);
      const stored = await readFile(archivePath(source.folder, appId, digest));
      expect(stored.equals(await readFile(path))).toBe(true);
    });

    it('decrypt variables, certificates and tokens of accounts', async () => {
      const { db, pool, keys } = moved;
      const opened = { db, pool, keys, isEmbedded: false, warn: () => {} };
      const variables = await openVariables({ ...opened, step: (_, work) => work() });
      const { rows } = await pool.query(
        `select id, values -> 'env' as env from public.resources where values -> 'env' ? 'TOKEN'`,
      );
      const [{ id: appId, env }] = rows;
      const [read] = await variables.readEnvs(db, [{ appId, env }]);
      expect(read).toEqual({ TOKEN: 'a value of an app' });
      const seal = await createSeal(keys);
      const [certificate] = (await pool.query('select * from deploy.certificates')).rows;
      const key = seal.decrypt(certificate.sealed_key, `certificate ${certificate.domain}`);
      expect(key.reveal()).toBe('the key of a certificate');
      const { rows: secrets } = await pool.query('select sealed from connect.secrets');
      expect(seal.decrypt(secrets[0].sealed).reveal()).toContain('glpat-that-nobody-guesses');
    });

    it('continue sequences, and their triggers run', async () => {
      const { pool } = moved;
      const [last] = (await pool.query('select max(id) as id from deploy.events')).rows;
      await pool.query(
        `insert into deploy.releases (app_id, number, generation, wish, made_of, env)
         select app_id, 2, 2, 'other', made_of, env from deploy.releases`,
      );
      const [next] = (await pool.query('select max(id) as id from deploy.events')).rows;
      expect(Number(next.id)).toBeGreaterThan(Number(last.id));
    });
  });

  const relations = () =>
    connected(target.connection, async (client) => {
      const { rows } = await client.query(
        `select relname from pg_class where relnamespace::regnamespace::text !~ '^(pg_|information_schema)'`,
      );
      return rows.map(({ relname }) => relname);
    });

  it('leaves an empty database if it is interrupted, and can be repeated', async () => {
    let checks = 0;
    const signal = Object.assign(new AbortController().signal, {
      throwIfAborted() {
        checks += 1;
        if (checks > 30) throw new Error('interrupted');
      },
    });
    const prefix = 'interrupted/';
    await expect(move({ prefix, signal })).rejects.toThrow('interrupted');
    expect(await relations()).toEqual([]);
    const objects = async () => {
      const paths = (await store.names()).filter((path) => path.includes(prefix));
      return await Promise.all(paths.map(async (path) => [path, (await stat(path)).mtimeMs]));
    };
    const copied = await objects();
    expect(copied).toHaveLength(3);
    await move({ prefix });
    expect(await dump(target.connection)).toEqual(await dump(source.connection));
    expect(await objects()).toEqual(copied);
  });

  it('replaces an object of another size', async () => {
    const prefix = 'partial/';
    await move({ prefix });
    const paths = (await store.names()).filter((path) => path.includes(prefix));
    const sizes = await Promise.all(paths.map(async (path) => (await stat(path)).size));
    for (const path of paths) await writeFile(path, 'a part');
    const other = await createEmptyDatabase();
    await move({ to: other, prefix });
    await other.drop();
    expect(await Promise.all(paths.map(async (path) => (await stat(path)).size))).toEqual(sizes);
  });

  it('names files that are missing or damaged, and moves everything else', async () => {
    const kept = join(source.folder, 'files', 'kept');
    const [first = '', second = ''] = await readdir(kept);
    const [one, other] = [await readFile(join(kept, first)), await readFile(join(kept, second))];
    await rm(join(kept, first));
    await writeFile(join(kept, second), Buffer.alloc(other.length));
    const moved = await move({ prefix: 'damaged/' });
    await writeFile(join(kept, first), one);
    await writeFile(join(kept, second), other);
    expect(moved.files).toBe(0);
    expect(new Set(moved.unreadable)).toEqual(new Set([first, second]));
    const stored = (await store.names()).filter((path) => path.includes('damaged/files/'));
    expect(stored).toEqual([]);
    expect(await dump(target.connection)).toEqual(await dump(source.connection));
  });

  it('is refused if the target is not empty, and changes nothing', async () => {
    await connected(target.connection, (client) => client.query('create table public.notes ()'));
    await expect(move({ prefix: 'refused/' })).rejects.toThrow(
      'The database of the target is not empty.',
    );
    expect(await relations()).toEqual(['notes']);
    expect((await store.names()).filter((path) => path.includes('refused/'))).toEqual([]);
  });

  it('is refused a second time', async () => {
    await move();
    const before = await dump(target.connection);
    await expect(move()).rejects.toThrow('The database of the target is not empty.');
    expect(await dump(target.connection)).toEqual(before);
  });

  it('is refused if source and target are the same database', async () => {
    const same = { connection: source.connection, drop: async () => {} };
    await expect(move({ to: same })).rejects.toThrow('the same database');
  });

  it('is refused if another version made the source', async () => {
    const name = '9999-later.sql';
    await source.pool.query('insert into public.longshore_migrations (name) values ($1)', [name]);
    const refused = move();
    await expect(refused).rejects.toThrow('another version of Longshore');
    await source.pool.query('delete from public.longshore_migrations where name = $1', [name]);
    expect(await relations()).toEqual([]);
  });

  it.each([
    ['a bucket that does not exist', { bucket: 'missing' }, 'The bucket of the target'],
    ['a wrong key', { secretAccessKey: new Secret('wrong') }, 'The bucket of the target'],
  ])('is refused with %s', async (_, change, message) => {
    const s3 = { ...store.settings, ...change };
    const databaseUrl = urlOf(target.connection);
    const { connection, folder } = source;
    const moving = moveInstallation(
      { connection, dataDir: folder, uploadsDir: folder, installation, s3: undefined },
      { databaseUrl, masterKey: MASTER_KEY, s3 },
      new AbortController().signal,
    );
    await expect(moving).rejects.toThrow(message);
    expect(await relations()).toEqual([]);
  });
});
