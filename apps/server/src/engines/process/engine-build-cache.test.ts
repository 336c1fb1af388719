import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  createEngineBench,
  type EngineBench,
  nodeApp,
} from '../../../test/engines/process/engine-bench.ts';
import type { Argv, BuildStep } from '../../build/build-plan.ts';
import type { ReleaseSpec } from '../engine.ts';
import { cacheVariables, isCacheable } from './build-cache.ts';
import type { ProcessEngine } from './engine.ts';

let bench: EngineBench;
let engine: ProcessEngine;
const { signal } = new AbortController();
const BUILD_MS = 240_000;

beforeAll(async () => {
  bench = await createEngineBench();
  engine = await bench.engine({ limits: { ...bench.deps.limits, buildMs: BUILD_MS } });
});
afterAll(() => bench.clear());

const RESTORED = /Restored node_modules from the build cache/;
const MS = {
  version: '2.1.3',
  resolved: 'https://registry.npmjs.org/ms/-/ms-2.1.3.tgz',
  integrity:
    'sha512-6FlzubTLZG3J2a/NVCAleEhjzq5oxgHyaCU9yYXvcLsvoVaHJq/s5xXI6/XXP6tz7R9xAOtHnSO/tXtF3WRTlA==',
};

/** Its build counts in the cache of its framework how often it was built, and writes that to what it serves. */
function projectOf(name: string) {
  const manifest = { name, version: '1.0.0', dependencies: { ms: '2.1.3' } };
  return {
    ...nodeApp('require("ms")("1s") + " " + require("node:fs").readFileSync("count.txt", "utf8")'),
    'package.json': JSON.stringify({
      ...manifest,
      scripts: { start: 'node server.js', build: 'node build.js' },
    }),
    'package-lock.json': JSON.stringify({
      name,
      version: '1.0.0',
      lockfileVersion: 3,
      packages: { '': manifest, 'node_modules/ms': MS },
    }),
    'build.js': `const { existsSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs');
      if (process.env.FAILS) process.exit(1);
      const file = '.next/cache/count';
      const count = existsSync(file) ? Number(readFileSync(file, 'utf8')) + 1 : 1;
      mkdirSync('.next/cache', { recursive: true });
      writeFileSync(file, String(count));
      writeFileSync('count.txt', String(count));`,
  };
}

async function build(spec: ReleaseSpec): Promise<string[]> {
  const before = bench.lines.length;
  await engine.build(spec, () => {}, signal);
  return bench.lines.slice(before);
}

async function textOf(spec: ReleaseSpec): Promise<string> {
  const instance = await engine.startInstance(spec, signal);
  await engine.waitUntilListening(instance, spec, signal);
  const { host, port } = instance.address;
  const text = await (await fetch(`http://${host}:${port}/`)).text();
  await engine.stopInstance(spec.appId, instance, signal);
  return text;
}

it(
  'installs packages once for each lock file, and keeps the caches of frameworks of builds that succeed',
  async () => {
    const spec = bench.spec(await bench.repository(projectOf('one')));
    expect((await build(spec)).join('\n')).not.toMatch(RESTORED);
    const failing = { ...spec, number: 2, env: { FAILS: '1' } };
    await expect(engine.build(failing, () => {}, signal)).rejects.toMatchObject({
      reason: 'build-failed',
    });
    const third = { ...spec, number: 3 };
    const log = (await build(third)).join('\n');
    expect(log).toMatch(RESTORED);
    expect(log).not.toContain('$ npm ci');
    expect(await textOf(third)).toBe('"1000 2"');

    const cleared = { ...spec, number: 5, cacheClears: 1 };
    const coldLog = (await build(cleared)).join('\n');
    expect(coldLog).toContain('The build cache was cleared');
    expect(coldLog).toContain('$ npm ci');
    expect(await textOf(cleared)).toBe('"1000 1"');
    const warmLog = (await build({ ...cleared, number: 6 })).join('\n');
    expect(warmLog).toMatch(RESTORED);
    expect(warmLog).not.toContain('was cleared');

    const other = await bench.repository(projectOf('two'));
    const changed = {
      ...spec,
      number: 4,
      origin: { kind: 'git', url: other, ref: 'main' },
    } as const;
    expect((await build(changed)).join('\n')).toContain('$ npm ci');
    const otherApp = bench.spec(other);
    expect((await build(otherApp)).join('\n')).toContain('$ npm ci');
    expect(await textOf(otherApp)).toBe('"1000 1"');
  },
  BUILD_MS * 2,
);

it.each([
  ['an install from a lock file', 'node', ['package.json', 'pnpm-lock.yaml'], true],
  ['an install without one', 'node', ['package.json'], false],
  ['an install that reads other files', 'node', undefined, false],
  ['tools', 'node', [], false],
  ['packages of another language', 'python', ['requirements.txt', 'uv.lock'], false],
] as const)('caches the result of %s: %s', (_, runtime, inputs, expected) => {
  const step: BuildStep = { kind: 'install', label: 'npm ci', argv: ['npm', 'ci'] };
  const read = inputs === undefined ? step : { ...step, inputs: [...inputs] };
  expect(isCacheable({ runtime }, read)).toBe(expected);
});

it('keeps the downloads of package managers in the build cache', () => {
  const folders = Object.values(cacheVariables('/cache', ['pnpm', 'install']));
  expect(folders.every((folder) => folder.startsWith('/cache/'))).toBe(true);
});

it.each<[argv: Argv, isNamed: boolean]>([
  [['pnpm', 'install', '--frozen-lockfile'], true],
  [['/bin/sh', '-c', 'corepack enable && pnpm install'], true],
  [['npm', 'install', '--prefix', '.longshore/tools', '--no-save', 'pnpm@10.34.9'], false],
  [['npm', 'ci'], false],
  [['go', 'build'], false],
])('names the store of pnpm in the settings of npm for %j: %s', (argv, isNamed) => {
  expect('npm_config_store_dir' in cacheVariables('/cache', argv)).toBe(isNamed);
});
