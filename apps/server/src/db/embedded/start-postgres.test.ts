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
let home: string;
let lines: string[];
let started: EmbeddedPostgres[];
/** Of each test by itself: on a busy machine they take long together. */
let signal: AbortSignal;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longshore-postgres-'));
  await chmod(folder, 0o711);
  home = join(folder, 'home');
  await mkdir(home, { mode: 0o711 });
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
    home,
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
  const text = await readFile(join(home, 'postgres', 'data', 'postmaster.pid'), 'utf8');
  return Number(text.split('\n')[0]);
};
const pidFile = () => join(home, 'postgres', 'data', 'postmaster.pid');

describe('the embedded Postgres', () => {
  it('is prepared once, keeps what was stored, and listens on no port', async () => {
    const first = await start();
    await query(first, 'create table kept (word text)');
    await query(first, "insert into kept values ('still here')");
    expect(await query(first, 'show listen_addresses')).toEqual([{ listen_addresses: '' }]);
    await first.stop();

    const second = await start();
    expect(await query(second, 'select word from kept')).toEqual([{ word: 'still here' }]);
    expect(lines).toEqual(['Preparing the database (once)']);
  });

  it('is durable and speaks UTF-8 whatever the machine speaks', async () => {
    const postgres = await startPostgres({ home, isRoot, signal, log: () => {} });
    started.push(postgres);
    expect(
      await query(
        postgres,
        `select current_setting('fsync') as fsync, current_setting('server_encoding') as encoding, upper('ä') as upper`,
      ),
    ).toEqual([{ fsync: 'on', encoding: 'UTF8', upper: 'Ä' }]);
  });

  it('is taken over, and can be stopped, when the server before was killed', async () => {
    expect(await startInServerThatIsKilled()).toEqual({ kind: 'killed', signal: 'SIGKILL' });
    const pid = await pidOf();
    const next = await start();
    expect(await pidOf()).toBe(pid);
    expect(lines).toEqual(['Took over the database of an earlier run']);
    expect(await query(next, 'select 1 as one')).toEqual([{ one: 1 }]);
    await next.stop();
    await expect(query(next, 'select 1')).rejects.toThrow();
  });

  it('is started anew when an older release left it running with other settings', async () => {
    const older = await startPostgres({ home, isRoot, signal, log: () => {} });
    started.push(older);
    const pid = await pidOf();
    await start();
    expect(await pidOf()).not.toBe(pid);
  });

  it('recovers when Postgres itself was killed', async () => {
    const killed = await start();
    await query(killed, 'create table kept (word text)');
    process.kill(await pidOf(), 'SIGKILL');
    const next = await start();
    expect(await query(next, 'select * from kept')).toEqual([]);
  });

  it.each([
    ['a process that ended', () => 2 ** 22 - 1],
    ['a pid that another program uses now', () => process.pid],
  ])('starts over a pid file of %s', async (_, stalePid) => {
    const first = await start();
    const text = await readFile(pidFile(), 'utf8');
    await first.stop();
    await writeFile(pidFile(), text.replace(/^\d+/, String(stalePid())), { mode: 0o600 });
    const next = await start();
    expect(await query(next, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('starts over an empty pid file', async () => {
    await (await start()).stop();
    await writeFile(pidFile(), '');
    await start();
  });

  it('begins again when the first preparation was cut off', async () => {
    await mkdir(join(home, 'postgres', 'new-cut-off'), { recursive: true });
    await writeFile(join(home, 'postgres', 'new-cut-off', 'PG_VERSION'), '18');
    await start();
    expect(await readdir(join(home, 'postgres'))).toEqual(['data', 'log', 'run']);
  });

  it('begins again while the preparation that was cut off is still ending', async () => {
    const cutOff = join(home, 'postgres', 'new-cut-off');
    await mkdir(cutOff, { recursive: true });
    const writing = (async () => {
      for (let file = 0; file < 2_000; file += 1) await writeFile(join(cutOff, `${file}`), '');
    })().catch(() => {});
    await start();
    await writing;
    expect(await readdir(join(home, 'postgres'))).toEqual(['data', 'log', 'run']);
  });

  it('finds a short folder for its socket when the home has a long path', async () => {
    home = join(folder, 'x'.repeat(100));
    await mkdir(home, { mode: 0o711 });
    const postgres = await start();
    expect(await query(postgres, 'select 1 as one')).toEqual([{ one: 1 }]);
    await postgres.stop();
    await rm(postgres.connection.host, { recursive: true });
  });

  it('says in one sentence why it cannot start', async () => {
    await (await start()).stop();
    await writeFile(join(home, 'postgres', 'data', 'PG_VERSION'), '9\n');
    const failure = start();
    await expect(failure).rejects.toThrow(/^The database did not start: FATAL: .*incompatible/);
  });

  it('stops at once when the start is given up', async () => {
    const given = AbortSignal.abort(new Error('given up'));
    const attempt = startPostgres({ home, isRoot, signal: given, log: () => {} });
    await expect(attempt).rejects.toThrow('given up');
    expect(await readdir(join(home, 'postgres'))).not.toContain('data');
  });

  it.runIf(isRoot)('is closed to every user but its own and root', async () => {
    const postgres = await start();
    const socket = join(postgres.connection.host, '.s.PGSQL.5432');
    const owner = await stat(postgres.connection.host);
    expect(await connectAs({ uid: owner.uid, gid: owner.gid }, socket)).toBe('connected');
    expect(await connectAs({ uid: 1_900_000_001, gid: 1_900_000_001 }, socket)).toBe('EACCES');
    expect(await listAs({ uid: 65_534, gid: 65_534 }, join(home, 'postgres', 'data'))).toBe(
      'EACCES',
    );
  });

  it.runIf(isRoot)('starts for a data directory below a closed folder', async () => {
    const closed = join(folder, 'closed');
    await mkdir(closed, { mode: 0o700 });
    home = await resolveDataDir({
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

/** A server of its own that starts Postgres and is then gone without a word. */
async function startInServerThatIsKilled() {
  const script = `
    const { startPostgres } = await import(${JSON.stringify(join(import.meta.dirname, 'start-postgres.ts'))});
    const signal = AbortSignal.timeout(60_000);
    const settings = [['fsync', 'off']];
    await startPostgres({ home: process.argv[1], isRoot: ${isRoot}, signal, log() {}, settings });
    process.kill(process.pid, 'SIGKILL');`;
  return await run(
    {
      argv: [process.execPath, '--input-type=module', '-e', script, home],
      cwd: '/',
      env: {},
    },
    { signal, timeoutMs: 60_000 },
  );
}

type User = { uid: number; gid: number };

const connectAs = (identity: User, socket: string) =>
  answerOf(
    identity,
    `require('node:net').connect(process.argv[1]).on('connect', function () { console.log('connected'); this.destroy() }).on('error', (error) => console.log(error.code))`,
    socket,
  );
const listAs = (identity: User, path: string) =>
  answerOf(
    identity,
    `require('node:fs').readdir(process.argv[1], (error) => console.log(error?.code ?? 'listed'))`,
    path,
  );

async function answerOf(identity: User, script: string, argument: string): Promise<string> {
  const output: string[] = [];
  // The checkout may lie in a folder that is closed to this user.
  const { nodePath } = await createToolchain({
    dataDir: home,
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
