import { existsSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createEngineBench, type EngineBench } from '../../../test/engines/process/engine-bench.ts';
import * as fixtures from '../../../test/engines/process/toolchain-fixtures.ts';
import type { ProcessEngine } from './engine.ts';

let bench: EngineBench;
let engine: ProcessEngine;
const { signal } = new AbortController();
const BUILD_MS = 240_000;

/** Go is large and compiles for half a minute, so it is tested only where it is installed. */
const hasGo = ['/usr/bin/go', '/usr/local/go/bin/go'].some((path) => existsSync(path));

beforeAll(async () => {
  bench = await createEngineBench();
  engine = await bench.engine({ limits: { ...bench.deps.limits, buildMs: BUILD_MS } });
});
afterAll(() => bench.clear());

it.each<[what: string, files: fixtures.Fixture, logged: string[]]>([
  ['pnpm', fixtures.PNPM, ['$ pnpm install --frozen-lockfile', '$ pnpm run build']],
  ['an outdated lock file', fixtures.OUTDATED_LOCK, ['$ npm install --legacy-peer-deps']],
  ['no lock file', fixtures.NO_LOCK, ['$ npm install']],
  ['yarn', fixtures.YARN_CLASSIC, ['$ yarn install --frozen-lockfile', '$ yarn run build']],
  ['yarn Berry', fixtures.YARN_BERRY, ['$ yarn install --immutable', '$ yarn run build']],
  ['pip', fixtures.PYTHON, ['$ python3 -m venv .venv', 'Found main.py: starting it']],
  ['pip and a Procfile', fixtures.PYTHON_PROCFILE, ['Found a Procfile with a web line']],
  ['only a Procfile', fixtures.PROCFILE, []],
  ...(hasGo
    ? [['Go', fixtures.GO, ['$ go mod download']] as [string, fixtures.Fixture, string[]]]
    : []),
])(
  'builds and runs a repository with %s',
  async (_, files, logged) => {
    const spec = bench.spec(await bench.repository(files));
    await engine.build(spec, () => {}, signal);
    const instance = await engine.startInstance(spec, signal);
    await engine.waitUntilListening(instance, spec, signal);
    const { host, port } = instance.address;
    const response = await fetch(`http://${host}:${port}/`);
    expect(await response.text()).toMatch(/^"?good day"?$/);
    for (const line of logged) expect(linesOf(spec.appId)).toContain(line);
    await engine.stopInstance(spec.appId, instance, signal);
  },
  BUILD_MS,
);

it.each([
  [
    'python3',
    fixtures.PYTHON,
    /Python 3 with its venv module.*apt-get install python3 python3-venv\).*LONGSHORE_ENGINE=docker/s,
  ],
  ['go', fixtures.GO, /Go is not installed.*apt-get install golang-go\).*LONGSHORE_ENGINE=docker/s],
])('explains how to install %s when it is missing', async (tool, files, expected) => {
  const binDir = join(bench.dataDir, 'programs', `without-${tool}`);
  await mkdir(binDir, { mode: 0o755 });
  await writeFile(join(binDir, tool), '#!/bin/sh\nexit 127\n');
  await chmod(join(binDir, tool), 0o755);
  // In a sandbox the tools of the machine cannot be hidden.
  const toolchain = { ...bench.deps.toolchain, binDir };
  const engineWithoutTool = await bench.engine({ isRoot: false, toolchain });
  const spec = bench.spec(await bench.repository(files));
  const failure = await engineWithoutTool
    .build(spec, () => {}, signal)
    .catch((error: unknown) => error);
  expect(failure).toMatchObject({ reason: 'toolchain-missing' });
  expect((failure as Error).message).toMatch(expected);
});

it('reports that a Dockerfile needs Docker, and which files are missing', async () => {
  const spec = bench.spec(await bench.repository({ Dockerfile: 'FROM scratch' }));
  await expect(engine.build(spec, () => {}, signal)).rejects.toMatchObject({
    reason: 'nothing-to-build',
    evidence: expect.arrayContaining([
      'Found a Dockerfile, which needs Docker: start Longshore with LONGSHORE_ENGINE=docker to build it',
      'There is no package.json',
    ]),
  });
});

it('reports that the setting Dockerfile needs Docker', async () => {
  const url = await bench.repository({ 'index.html': '', Dockerfile: 'FROM scratch' });
  const spec = bench.spec(url, { build: { dockerfile: 'Dockerfile' } });
  await expect(engine.build(spec, () => {}, signal)).rejects.toMatchObject({
    reason: 'toolchain-missing',
    evidence: [expect.stringMatching(/^The setting Dockerfile needs Docker/)],
  });
});

function linesOf(appId: string): string[] {
  const prefix = `[app-${appId.slice(0, 6)}-build-1]: `;
  return bench.lines
    .filter((line) => line.startsWith(prefix))
    .map((line) => line.slice(prefix.length));
}
