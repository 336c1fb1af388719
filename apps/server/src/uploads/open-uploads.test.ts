import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTestDatabase } from '../../test/db/test-database.ts';
import { hasS3Server, startS3Server } from '../../test/storage/s3-server.ts';
import { archivePath } from '../build/unpack-upload.ts';
import { createDatabase, createPool } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { openUploads } from './open-uploads.ts';

const DIGEST = 'a'.repeat(64);
const { signal } = new AbortController();

describe.skipIf(!hasS3Server)('servers that share their state', () => {
  it('share archives that one of them had on its disk before', async () => {
    const app = randomUUID();
    const { root, open } = await setUp();
    const path = archivePath(join(root, 'first'), app, DIGEST);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, 'archive');
    for (let start = 0; start < 2; start += 1) {
      expect(await (await open('first')).usedBytes([app])).toBe(7);
    }
    await rm(join(root, 'first'), { recursive: true });
    const second = await open('second');
    const copy = join(root, 'copy');
    expect(await second.download?.({ appId: app, digest: DIGEST }, copy, signal)).toBe(true);
    expect(await readFile(copy, 'utf8')).toBe('archive');
  }, 300_000);
});

async function setUp() {
  const database = await createTestDatabase(migrate);
  const pool = createPool(database.connection, () => {});
  const store = await startS3Server();
  const root = await mkdtemp(join(tmpdir(), 'longshore-uploads-'));
  onTestFinished(async () => {
    await pool.end();
    await database.drop();
    await store.stop();
    await rm(root, { recursive: true });
  });
  const config = { state: 'shared', s3: store.settings } as const;
  const shared = { config, installation: 'test', db: createDatabase(pool), clock: Date, signal };
  return { root, open: (name: string) => openUploads({ ...shared, dataDir: join(root, name) }) };
}
