import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildConsole } from './build-console.mjs';

let root: string;
let builds: number;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'longshore-build-'));
  builds = 0;
  for (const path of [
    'apps/console/src/main.tsx',
    'docs/guide/01-welcome.md',
    'README.md',
    'packages/contract/src/index.ts',
    'packages/client/src/index.ts',
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

const build = (code = 0) =>
  buildConsole({
    root,
    step: (_title: string, work: (options: object) => Promise<void>) => work({}),
    build: async () => {
      builds += 1;
      await mkdir(join(root, 'apps/console/dist'), { recursive: true });
      return code;
    },
  });

describe('buildConsole', () => {
  it('builds once while nothing changes', async () => {
    await build();
    await build();
    expect(builds).toBe(1);
  });

  it.each([
    ['a source of the console', 'apps/console/src/main.tsx', 2],
    ['a new file', 'apps/console/src/new.tsx', 2],
    ['the guide', 'docs/guide/01-welcome.md', 2],
    ['the contract', 'packages/contract/src/index.ts', 2],
    ['the packages', 'package-lock.json', 2],
    ['a test', 'apps/console/src/main.test.tsx', 1],
    ['the server', 'apps/server/src/main.ts', 1],
  ])('after a change of %s has built %s %i times', async (_, path, expected) => {
    await build();
    await write(path, 'second');
    await build();
    expect(builds).toBe(expected);
  });

  it('builds again after a failed build', async () => {
    await expect(build(1)).rejects.toThrow('Building the console failed');
    await build();
    expect(builds).toBe(2);
  });
});
