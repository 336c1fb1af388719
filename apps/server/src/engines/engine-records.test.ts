import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { setUpLogDatabase } from '../../test/logs/log-fixture.ts';
import { createDatabaseRecords } from './database-records.ts';
import { createDiskRecords } from './disk-records.ts';
import type { EngineRecords } from './engine-records.ts';
import { nextInstanceNumber } from './instance-number.ts';

const SCHEMA = z.object({ at: z.string() });

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'longshore-records-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

function describeRecords(open: () => Promise<EngineRecords>): void {
  it('are read as they were written last', async () => {
    const records = await open();
    expect(await records.read('kubernetes/app/position-1', SCHEMA)).toBeUndefined();
    await records.write('kubernetes/app/position-1', { at: 'one' });
    await records.write('kubernetes/app/position-1', { at: 'two' });
    expect(await records.read('kubernetes/app/position-1', SCHEMA)).toEqual({ at: 'two' });
    await records.write('kubernetes/number', 7);
    expect(await records.read('kubernetes/number', z.number())).toBe(7);
  });

  it('are ignored when they do not match the schema', async () => {
    const records = await open();
    await records.write('kubernetes/app/position-1', { at: 7 });
    expect(await records.read('kubernetes/app/position-1', SCHEMA)).toBeUndefined();
  });

  it('are removed with everything below a path, and nothing else', async () => {
    const records = await open();
    const paths = ['apps/a', 'apps/b/one', 'apps/b/two/three', 'apps/b-2/one', 'apps/b0', 'other'];
    for (const path of paths) await records.write(path, { at: path });
    await records.remove('apps/b');
    await records.remove('apps/a');
    await records.remove('apps/missing');
    const found = await Promise.all(paths.map((path) => records.read(path, SCHEMA)));
    expect(found.map((record) => record?.at)).toEqual([
      undefined,
      undefined,
      undefined,
      'apps/b-2/one',
      'apps/b0',
      'other',
    ]);
  });

  it('count the instances of an app', async () => {
    const records = await open();
    expect(await nextInstanceNumber(records, [], 'kubernetes/app')).toBe(1);
    expect(await nextInstanceNumber(records, [], 'kubernetes/app')).toBe(2);
    expect(await nextInstanceNumber(records, [7, 3], 'kubernetes/app')).toBe(8);
    expect(await nextInstanceNumber(records, [1], 'kubernetes/app')).toBe(9);
    expect(await nextInstanceNumber(records, [], 'kubernetes/other')).toBe(1);
  });
}

describe('records on disk', () => {
  describeRecords(async () => createDiskRecords(await temporaryFolder()));

  it('are files with their value', async () => {
    const folder = await temporaryFolder();
    await nextInstanceNumber(createDiskRecords(join(folder, 'app')), [4]);
    expect(await readdir(join(folder, 'app'))).toEqual(['last-instance']);
    expect(await readFile(join(folder, 'app', 'last-instance'), 'utf8')).toBe('5');
  });
});

describe('records in the database', () => {
  const { db, pool } = setUpLogDatabase();
  describeRecords(async () => {
    await pool().query('delete from deploy.engine_records');
    return createDatabaseRecords(db());
  });

  it('give each number once, also to two servers at the same time', async () => {
    const servers = [createDatabaseRecords(db()), createDatabaseRecords(db())];
    const numbers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        nextInstanceNumber(servers[at % 2] as EngineRecords, [], 'kubernetes/busy'),
      ),
    );
    expect(new Set(numbers).size).toBe(20);
  });
});
