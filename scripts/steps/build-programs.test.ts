import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildEdge, buildServer } from './build-programs.mjs';

let root: string;
let bundled: string[];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'longshore-build-'));
  bundled = [];
  for (const path of [
    'apps/edge/src/launch.ts',
    'apps/server/src/main.ts',
    'packages/contract/src/index.ts',
    'packages/edge-contract/src/index.ts',
    'scripts/bundle.mjs',
    'scripts/steps/external-packages.mjs',
    'scripts/steps/import-meta.mjs',
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

async function build(code = 0): Promise<void> {
  const options = {
    root,
    step: (_title: string, work: (options: object) => Promise<void>) => work({}),
    bundle: async ({ workspace, build }: { workspace: string; build: string }) => {
      bundled.push(workspace);
      if (code === 0) await write(`apps/${workspace}/dist/build`, build);
      return code;
    },
  };
  await buildEdge(options);
  await buildServer(options);
}

describe('buildEdge and buildServer', () => {
  it('bundle once while nothing changes', async () => {
    await build();
    await build();
    expect(bundled).toEqual(['edge', 'server']);
  });

  it.each([
    ['a source of the server', 'apps/server/src/main.ts', ['server']],
    ['a new file', 'apps/server/src/new.ts', ['server']],
    ['SQL of the server', 'apps/server/src/db/migrations/0001.sql', ['server']],
    ['the contract', 'packages/contract/src/index.ts', ['server']],
    ['a source of the edge', 'apps/edge/src/launch.ts', ['edge', 'server']],
    ['the packages', 'package-lock.json', ['edge', 'server']],
    ['the bundler', 'scripts/bundle.mjs', ['edge', 'server']],
    ['a test', 'apps/server/src/main.test.ts', []],
    ['the console', 'apps/console/src/main.tsx', []],
  ])('after a change of %s (%s) bundle %j', async (_, path, expected) => {
    await build();
    bundled = [];
    await write(path, 'second');
    await build();
    expect(bundled).toEqual(expected);
  });

  it('bundle again after a failure', async () => {
    await expect(build(1)).rejects.toThrow('Building the edge failed');
    await build();
    expect(bundled).toEqual(['edge', 'edge', 'server']);
  });
});
