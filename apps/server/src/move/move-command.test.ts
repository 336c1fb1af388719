import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import {
  createEmptyDatabase,
  createTestDatabase,
  type TestDatabase,
} from '../../test/db/test-database.ts';
import { hasS3Server, type S3Server, startS3Server } from '../../test/storage/s3-server.ts';
import { lockDataDir } from '../data-dir/lock-data-dir.ts';
import { migrate } from '../db/migrate.ts';

const COMMAND = join(import.meta.dirname, '../move.ts');
const MASTER_KEY = 'a-master-key-of-at-least-32-characters';
/** Compiling the object store, once per machine. */
const COMPILE_MS = 900_000;

describe.skipIf(!hasS3Server)('npm run move', () => {
  let store: S3Server;
  let source: TestDatabase;
  let target: TestDatabase;
  let folder: string;
  beforeAll(async () => {
    store = await startS3Server();
    source = await createTestDatabase(migrate);
  }, COMPILE_MS);
  afterAll(async () => {
    await source.drop();
    await store.stop();
  });
  beforeEach(async () => {
    target = await createEmptyDatabase();
    folder = await mkdtemp(join(tmpdir(), 'longshore-move-'));
    return async () => {
      await target.drop();
      await rm(folder, { recursive: true });
    };
  });

  const urlOf = ({ host, user, database }: TestDatabase['connection']) =>
    `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`;

  async function settingsFile(): Promise<string> {
    const { endpoint, bucket, accessKeyId, secretAccessKey } = store.settings;
    const path = join(folder, 'cluster.env');
    const lines = [
      `DATABASE_URL='${urlOf(target.connection)}'`,
      `LONGSHORE_MASTER_KEY=${MASTER_KEY}`,
      `LONGSHORE_S3_ENDPOINT=${endpoint}`,
      `LONGSHORE_S3_BUCKET=${bucket}`,
      `LONGSHORE_S3_ACCESS_KEY_ID=${accessKeyId}`,
      `LONGSHORE_S3_SECRET_ACCESS_KEY=${secretAccessKey.reveal()}`,
    ];
    await writeFile(path, lines.join('\n'), { mode: 0o600 });
    return path;
  }

  type Outcome = { code: number; stdout: string; stderr: string };

  const run = (args: string[], change: Record<string, string> = {}) =>
    new Promise<Outcome>((resolve) => {
      const env = {
        PATH: '/usr/bin:/bin',
        DATABASE_URL: urlOf(source.connection),
        LONGSHORE_DATA_DIR: folder,
        LONGSHORE_LOG_FORMAT: 'text',
        ...change,
      };
      execFile(process.execPath, [COMMAND, ...args], { env }, (error, stdout, stderr) =>
        resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
      );
    });

  const installationOf = async (connection: TestDatabase['connection']) => {
    const client = new pg.Client(connection);
    await client.connect();
    try {
      return (await client.query('select id from deploy.installation')).rows;
    } finally {
      await client.end();
    }
  };

  it('copies the installation, and prints what it copied but no secret', async () => {
    const { code, stdout, stderr } = await run([await settingsFile()]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/Database: \d+ rows in \d+ tables, \d+ keys\./);
    expect(stdout).toContain('Log lines stay on this machine.');
    expect(stdout).not.toContain(MASTER_KEY);
    expect(stdout).not.toContain(store.settings.secretAccessKey.reveal());
    const moved = await installationOf(target.connection);
    expect(moved).toEqual(await installationOf(source.connection));
    expect(await readFile(join(folder, 'installation'), 'utf8')).toContain(moved[0].id);
  });

  it('refuses while a server uses the data directory', async () => {
    const lock = await lockDataDir(folder);
    if (lock.ok) onTestFinished(() => lock.release());
    const { code, stderr } = await run([await settingsFile()]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Another Longshore already uses LONGSHORE_DATA_DIR .*\n$/);
    await expect(installationOf(target.connection)).rejects.toThrow('does not exist');
  });

  it.each([
    ['no file', [], {}, /^Usage: npm run move -- <file with the settings of the target>\n$/],
    ['a missing file', ['/missing.env'], {}, /^Cannot read \/missing\.env\.\n$/],
    ['no installation', ['/a'], { LONGSHORE_DATA_DIR: '/missing' }, /^There is no \/missing\.\n$/],
  ])('refuses %s', async (_, args, change, message) => {
    const { code, stderr } = await run(args, change);
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
  });
});
