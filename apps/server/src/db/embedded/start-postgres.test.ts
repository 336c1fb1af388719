import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resolveDataDir } from '../../data-dir/resolve-data-dir.ts';
import { run } from '../../processes/run.ts';
import { createToolchain } from '../../toolchain/toolchain.ts';
import { type EmbeddedPostgres, startPostgres } from './start-postgres.ts';

const isRoot = process.getuid?.() === 0;
let folder: string;
let dataDir: string;
let lines: string[];
let started: EmbeddedPostgres[];
/** Per test: together they take long on a busy machine. */
let signal: AbortSignal;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longshore-postgres-'));
  await chmod(folder, 0o711);
  dataDir = join(folder, 'data-dir');
  await mkdir(dataDir, { mode: 0o711 });
  lines = [];
  started = [];
  signal = AbortSignal.timeout(60_000);
});
afterEach(async () => {
  for (const postgres of started) await postgres.stop();
  await rm(folder, { recursive: true, force: true });
});

async function start(): Promise<EmbeddedPostgres> {
  const postgres = await startPostgres({
    dataDir,
    isRoot,
    signal,
    log: (line) => void lines.push(line),
    settings: [['fsync', 'off']],
  });
  started.push(postgres);
  return postgres;
}

async function query(postgres: EmbeddedPostgres, sql: string): Promise<unknown[]> {
  const client = new pg.Client(postgres.connection);
  client.on('error', () => {});
  await client.connect();
  const { rows } = await client.query(sql);
  await client.end();
  return rows;
}

const pidOf = async () => {
  const text = await readFile(join(dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8');
  return Number(text.split('\n')[0]);
};
const pidFile = () => join(dataDir, 'postgres', 'data', 'postmaster.pid');

describe('the embedded Postgres', () => {
  it('is initialised once, keeps its data, and listens on no port', async () => {
    const first = await start();
    await query(first, 'create table kept (word text)');
    await query(first, "insert into kept values ('still here')");
    expect(await query(first, 'show listen_addresses')).toEqual([{ listen_addresses: '' }]);
    await first.stop();

    const second = await start();
    expect(await query(second, 'select word from kept')).toEqual([{ word: 'still here' }]);
    expect(lines).toEqual(['Preparing the database (once)']);
  });

  it('is durable and uses UTF-8, whatever the locale of the machine', async () => {
    const postgres = await startPostgres({ dataDir, isRoot, signal, log: () => {} });
    started.push(postgres);
    expect(
      await query(
        postgres,
        `select current_setting('fsync') as fsync, current_setting('server_encoding') as encoding, upper('ä') as upper`,
      ),
    ).toEqual([{ fsync: 'on', encoding: 'UTF8', upper: 'Ä' }]);
  });

  it('is taken over, and can be stopped, after the server was killed', async () => {
    expect(await startInKilledServer()).toEqual({ kind: 'killed', signal: 'SIGKILL' });
    const pid = await pidOf();
    const next = await start();
    expect(await pidOf()).toBe(pid);
    expect(lines).toEqual(['Took over the database of an earlier run']);
    expect(await query(next, 'select 1 as one')).toEqual([{ one: 1 }]);
    await next.stop();
    await expect(query(next, 'select 1')).rejects.toThrow();
  });

  it('is restarted if it runs with other settings', async () => {
    const older = await startPostgres({ dataDir, isRoot, signal, log: () => {} });
    started.push(older);
    const pid = await pidOf();
    await start();
    expect(await pidOf()).not.toBe(pid);
  });

  it('recovers after Postgres itself was killed', async () => {
    const killed = await start();
    await query(killed, 'create table kept (word text)');
    process.kill(await pidOf(), 'SIGKILL');
    const next = await start();
    expect(await query(next, 'select * from kept')).toEqual([]);
  });

  it.each([
    ['a process that ended', () => 2 ** 22 - 1],
    ['a pid that another program uses now', () => process.pid],
  ])('starts despite a pid file of %s', async (_, stalePid) => {
    const first = await start();
    const text = await readFile(pidFile(), 'utf8');
    await first.stop();
    await writeFile(pidFile(), text.replace(/^\d+/, String(stalePid())), { mode: 0o600 });
    const next = await start();
    expect(await query(next, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('starts despite an empty pid file', async () => {
    await (await start()).stop();
    await writeFile(pidFile(), '');
    await start();
  });

  it('initialises again after an interrupted initialisation', async () => {
    await mkdir(join(dataDir, 'postgres', 'new-cut-off'), { recursive: true });
    await writeFile(join(dataDir, 'postgres', 'new-cut-off', 'PG_VERSION'), '18');
    await start();
    expect(await readdir(join(dataDir, 'postgres'))).toEqual(['data', 'log', 'run']);
  });

  it('initialises again while an interrupted initialisation is still writing', async () => {
    const cutOff = join(dataDir, 'postgres', 'new-cut-off');
    await mkdir(cutOff, { recursive: true });
    const writing = (async () => {
      for (let file = 0; file < 2_000; file += 1) await writeFile(join(cutOff, `${file}`), '');
    })().catch(() => {});
    await start();
    await writing;
    expect(await readdir(join(dataDir, 'postgres'))).toEqual(['data', 'log', 'run']);
  });

  it('uses a short folder for its socket if the data directory has a long path', async () => {
    dataDir = join(folder, 'x'.repeat(100));
    await mkdir(dataDir, { mode: 0o711 });
    const postgres = await start();
    expect(await query(postgres, 'select 1 as one')).toEqual([{ one: 1 }]);
    await postgres.stop();
    await rm(postgres.connection.host, { recursive: true });
  });

  it('reports in one sentence why it cannot start', async () => {
    await (await start()).stop();
    await writeFile(join(dataDir, 'postgres', 'data', 'PG_VERSION'), '9\n');
    const failure = start();
    await expect(failure).rejects.toThrow(/^The database did not start: FATAL: .*incompatible/);
  });

  it('stops at once if the start is aborted', async () => {
    const aborted = AbortSignal.abort(new Error('aborted'));
    const attempt = startPostgres({ dataDir, isRoot, signal: aborted, log: () => {} });
    await expect(attempt).rejects.toThrow('aborted');
    expect(await readdir(join(dataDir, 'postgres'))).not.toContain('data');
  });

  it.runIf(isRoot)('is closed to every user but its own and root', async () => {
    const postgres = await start();
    const socket = join(postgres.connection.host, '.s.PGSQL.5432');
    const owner = await stat(postgres.connection.host);
    expect(await connectAs({ uid: owner.uid, gid: owner.gid }, socket)).toBe('connected');
    expect(await connectAs({ uid: 1_900_000_001, gid: 1_900_000_001 }, socket)).toBe('EACCES');
    expect(await listAs({ uid: 65_534, gid: 65_534 }, join(dataDir, 'postgres', 'data'))).toBe(
      'EACCES',
    );
  });

  it.runIf(isRoot)('starts for a data directory below a closed folder', async () => {
    const closed = join(folder, 'closed');
    await mkdir(closed, { mode: 0o700 });
    dataDir = await resolveDataDir({
      configuredDir: join(closed, 'data'),
      isRoot,
      print: () => {},
      fallbackRoot: join(folder, 'fallback'),
    });
    expect(await query(await start(), 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it.runIf(isRoot)('does not run as root', async () => {
    await start();
    expect((await stat(`/proc/${await pidOf()}`)).uid).not.toBe(0);
  });
});

/** Starts Postgres in another process and kills that process. */
async function startInKilledServer() {
  const script = `
    const { startPostgres } = await import(${JSON.stringify(join(import.meta.dirname, 'start-postgres.ts'))});
    const signal = AbortSignal.timeout(60_000);
    const settings = [['fsync', 'off']];
    await startPostgres({ dataDir: process.argv[1], isRoot: ${isRoot}, signal, log() {}, settings });
    process.kill(process.pid, 'SIGKILL');`;
  return await run(
    {
      argv: [process.execPath, '--input-type=module', '-e', script, dataDir],
      cwd: '/',
      env: {},
    },
    { signal, timeoutMs: 60_000 },
  );
}

type User = { uid: number; gid: number };

const connectAs = (identity: User, socket: string) =>
  outputOf(
    identity,
    `require('node:net').connect(process.argv[1]).on('connect', function () { console.log('connected'); this.destroy() }).on('error', (error) => console.log(error.code))`,
    socket,
  );
const listAs = (identity: User, path: string) =>
  outputOf(
    identity,
    `require('node:fs').readdir(process.argv[1], (error) => console.log(error?.code ?? 'listed'))`,
    path,
  );

async function outputOf(identity: User, script: string, argument: string): Promise<string> {
  const output: string[] = [];
  // The user may not be able to read the repository's folder.
  const { nodePath } = await createToolchain({
    dataDir,
    isRoot,
    nodePath: process.execPath,
    nodeVersion: process.version,
  });
  await run(
    { argv: [nodePath, '-e', script, argument], cwd: '/', env: {}, identity },
    { signal, timeoutMs: 20_000, onLine: (line) => void output.push(line) },
  );
  return output.join('\n');
}
