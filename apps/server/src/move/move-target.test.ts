import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { nextBatchRows } from './copy-tables.ts';
import { moveTarget, readMoveTarget } from './move-target.ts';

const SETTINGS = {
  DATABASE_URL: 'postgres://longshore:hunter2@db.example/longshore',
  LONGSHORE_MASTER_KEY: 'm'.repeat(32),
  LONGSHORE_S3_ENDPOINT: 'https://s3.example.com',
  LONGSHORE_S3_BUCKET: 'longshore',
  LONGSHORE_S3_ACCESS_KEY_ID: 'id',
  LONGSHORE_S3_SECRET_ACCESS_KEY: 'secret',
};

it('reads the settings of the target, with the defaults of the server', () => {
  const target = moveTarget(SETTINGS, 'cluster.env');
  expect(target.databaseUrl.reveal()).toBe(SETTINGS.DATABASE_URL);
  expect(target.masterKey.reveal()).toBe(SETTINGS.LONGSHORE_MASTER_KEY);
  expect(target.s3).toMatchObject({ bucket: 'longshore', region: 'us-east-1', prefix: '' });
  expect(JSON.stringify(target)).not.toContain('hunter2');
});

it.each([
  [
    {},
    'cluster.env lacks DATABASE_URL, LONGSHORE_MASTER_KEY, LONGSHORE_S3_ENDPOINT, LONGSHORE_S3_BUCKET, LONGSHORE_S3_ACCESS_KEY_ID, LONGSHORE_S3_SECRET_ACCESS_KEY.',
  ],
  [
    { ...SETTINGS, LONGSHORE_S3_BUCKET: ' ', DATABASE_URL: '' },
    'cluster.env lacks DATABASE_URL, LONGSHORE_S3_BUCKET.',
  ],
  [
    { ...SETTINGS, DATABASE_URL: 'mysql://hunter2' },
    'DATABASE_URL must start with postgres:// or postgresql://.',
  ],
  [
    { ...SETTINGS, LONGSHORE_MASTER_KEY: 'short' },
    'LONGSHORE_MASTER_KEY must have at least 32 characters.',
  ],
])('refuses %j', (settings, message) => {
  expect(() => moveTarget(settings, 'cluster.env')).toThrow(message);
});

it('refuses a file that others may read', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'longshore-target-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'cluster.env');
  await expect(readMoveTarget(path)).rejects.toThrow(`Cannot read ${path}.`);
  const lines = Object.entries(SETTINGS).map(([name, value]) => `${name}=${value}`);
  await writeFile(path, lines.join('\n'));
  await chmod(path, 0o640);
  await expect(readMoveTarget(path)).rejects.toThrow(`Run: chmod 600 ${path}`);
  await chmod(path, 0o600);
  expect((await readMoveTarget(path)).s3.bucket).toBe('longshore');
});

it.each([
  ['small rows', Array(100).fill('x'.repeat(10)), 5_000],
  ['large rows', Array(100).fill('x'.repeat(1024 ** 2)), 4],
  ['a row above the limit', ['x'.repeat(10 * 1024 ** 2)], 1],
])('reads so many %s at once', (_, lines, expected) => {
  expect(nextBatchRows(lines)).toBe(expected);
});
