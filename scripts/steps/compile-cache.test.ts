import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { prepareCompileCache } from './compile-cache.mjs';

let root: string;
let compiled: number;
let enabled: string[];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'longshore-compile-'));
  compiled = 0;
  enabled = [];
  for (const path of [
    'apps/server/src/main.ts',
    'packages/contract/src/index.ts',
    'package-lock.json',
  ]) {
    await write(path, 'first');
  }
});
afterEach(async () => await rm(root, { recursive: true }));

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}

const keep = (code = 0) =>
  prepareCompileCache({
    root,
    compile: async (folder: string) => {
      compiled += 1;
      await writeFile(join(folder, `code-${compiled}`), '');
      return code;
    },
    enable: (folder: string) => enabled.push(folder),
  });

it('compiles once while nothing changes, and enables the cache', async () => {
  await keep();
  await keep();
  expect(compiled).toBe(1);
  const folder = join(root, 'node_modules/.cache/compiled');
  expect(enabled).toEqual([folder, folder]);
});

it.each([
  ['a source of the server', 'apps/server/src/main.ts', 2],
  ['a new file', 'apps/server/src/new.ts', 2],
  ['the contract', 'packages/contract/src/index.ts', 2],
  ['the packages', 'package-lock.json', 2],
  ['a test', 'apps/server/src/main.test.ts', 1],
  ['the console', 'apps/console/src/main.tsx', 1],
])('after a change of %s has compiled %s %i times', async (_, path, expected) => {
  await keep();
  await write(path, 'second');
  await keep();
  expect(compiled).toBe(expected);
});

it('deletes what was compiled from older code', async () => {
  await keep();
  await write('apps/server/src/main.ts', 'second');
  await keep();
  await expect(stat(join(root, 'node_modules/.cache/compiled/code-1'))).rejects.toThrow('ENOENT');
});

it('starts without a cache after a failed compilation, and compiles at the next start', async () => {
  await keep(1);
  await keep();
  expect(compiled).toBe(2);
  expect(enabled).toHaveLength(2);
});
