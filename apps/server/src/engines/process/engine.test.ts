import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createEngineBench,
  type EngineBench,
  nodeApp,
} from '../../../test/engines/process/engine-bench.ts';
import { isAlive } from '../../processes/process-stat.ts';
import type { Instance, ReleaseSpec } from '../engine.ts';
import type { ProcessEngine } from './engine.ts';

let bench: EngineBench;
let engine: ProcessEngine;
const { signal } = new AbortController();
const silent = () => {};

beforeAll(async () => {
  bench = await createEngineBench();
  engine = await bench.engine();
});
afterAll(() => bench.clear());

describe('a Node app', () => {
  it('is fetched, started, listens on its port and is removed completely', async () => {
    const spec = bench.spec(await bench.repository(nodeApp('process.env')), {
      env: { GREETING: 'hi', PORT: '1', LONGSHORE_APP_ID: 'forged', PATH: '/nowhere' },
    });
    const phases: string[] = [];
    const { revision } = await engine.build(spec, ({ phase }) => phases.push(phase), signal);
    expect(revision).toMatch(/^[0-9a-f]{40}$/);
    expect(phases).toEqual(['fetching', 'building', 'detected']);
    const instance = await startAndWait(spec);
    const env = await fetchJson(instance);
    expect(env).toMatchObject({
      GREETING: 'hi',
      PORT: String(instance.address.port),
      LONGSHORE_APP_ID: spec.appId,
      NODE_ENV: 'production',
      PYTHONUNBUFFERED: '1',
      npm_package_version: '1.2.3',
    });
    expect(Object.keys(env as object)).not.toContain('VITEST');
    expect(await engine.observe(spec.appId, signal)).toEqual({ built: [1], instances: [instance] });
    expect(await engine.listApps(signal)).toContain(spec.appId);

    await engine.removeApp(spec.appId, signal);
    await engine.removeApp(spec.appId, signal);
    expect(await engine.listApps(signal)).not.toContain(spec.appId);
    expect(await engine.observe(spec.appId, signal)).toEqual({ built: [], instances: [] });
    await expect(access(join(bench.dataDir, 'apps', spec.appId))).rejects.toThrow();
    await expect(access(join(bench.dataDir, 'records', spec.appId))).rejects.toThrow();
  });

  it.each([
    ['started directly', 'node server.js'],
    ['started by npm with a shell', 'FOO=1 node server.js && true'],
  ])('gets SIGTERM and can finish when %s', async (_, script) => {
    const files = nodeApp('"up"', script);
    // Before it listens: a connection may be accepted while the rest of the file still runs.
    files['server.js'] =
      `process.on('SIGTERM', () => setTimeout(() => { console.log('bye'); process.exit(0); }, 300));
      ${files['server.js']}`;
    const spec = await built(files);
    const instance = await startAndWait(spec);
    await engine.stopInstance(spec.appId, instance, signal);
    await engine.stopInstance(spec.appId, instance, signal);
    expect(linesOf(spec, instance)).toContain('bye');
    expect((await engine.observe(spec.appId, signal)).instances).toEqual([]);
  });

  it.each([
    ['exit code', 'node server.js', 'process.exit(7)', { code: 7, signal: undefined }],
    ['exit code through npm', 'node server.js || exit 9', 'process.exit(7)', { code: 9 }],
    ['signal', 'node server.js', 'process.kill(process.pid, "SIGKILL")', { signal: 'SIGKILL' }],
  ])('reports the %s when it exits', async (_, script, end, expected) => {
    const files = nodeApp('"up"', script);
    files['server.js'] = `console.log('last words'); ${end}`;
    const spec = await built(files);
    const ended = new Promise<void>((resolve) => {
      const stop = engine.watch((appId) => {
        if (appId !== spec.appId) return;
        stop();
        resolve();
      });
    });
    const instance = await engine.startInstance(spec, signal);
    await ended;
    const [seen] = (await engine.observe(spec.appId, signal)).instances;
    expect(seen?.state).toMatchObject({ kind: 'exited', exit: expected });
    await expect(engine.waitUntilListening(instance, spec, signal)).rejects.toMatchObject({
      reason: 'app-exited',
      evidence: expect.arrayContaining(['last words']),
    });
  });

  it.each([
    { left: 'its group', options: {}, isPossible: true },
    { left: 'its group and its marks', options: { env: {} }, isPossible: process.getuid?.() === 0 },
  ])('kills a process that left $left', async ({ options, isPossible }) => {
    if (!isPossible) return;
    const files = nodeApp('child.pid');
    files['server.js'] += `const child = require('node:child_process').spawn('/bin/sleep', ['987'],
      { detached: true, stdio: 'ignore', ...${JSON.stringify(options)} });`;
    const spec = await built(files);
    const instance = await startAndWait(spec);
    const pid = await bench.pidOf(spec, instance, Number(await fetchJson(instance)));
    expect(await isAlive(pid)).toBe(true);
    await engine.stopInstance(spec.appId, instance, signal);
    expect(await isAlive(pid)).toBe(false);
  });

  it('is killed when it ignores SIGTERM', async () => {
    const files = nodeApp('"up"');
    files['server.js'] += `process.on('SIGTERM', () => {});`;
    const spec = await built(files);
    const instance = await startAndWait(spec);
    await engine.stopInstance(spec.appId, instance, signal);
    await expect(fetchJson(instance)).rejects.toThrow();
  });

  it('is installed by its lock file and built with its development dependencies', async () => {
    const dependency = { name: 'greeter', version: '1.0.0', bin: { greet: 'greet.js' } };
    const manifest = {
      name: 'fixture',
      version: '1.0.0',
      scripts: { start: 'node server.js', build: 'greet > greeting.txt' },
      devDependencies: { greeter: 'file:greeter' },
    };
    const lock = {
      name: 'fixture',
      version: '1.0.0',
      lockfileVersion: 3,
      packages: {
        '': { name: 'fixture', version: '1.0.0', devDependencies: manifest.devDependencies },
        greeter: { version: '1.0.0', dev: true, bin: { greet: 'greet.js' } },
        'node_modules/greeter': { resolved: 'greeter', link: true },
      },
    };
    const spec = await built(
      {
        ...nodeApp('require("node:fs").readFileSync("greeting.txt", "utf8")'),
        'package.json': JSON.stringify(manifest),
        'package-lock.json': JSON.stringify(lock),
        'greeter/package.json': JSON.stringify(dependency),
        'greeter/greet.js': '#!/usr/bin/env node\nconsole.log("good day");\n',
      },
      { env: { NODE_ENV: 'production' } },
    );
    expect(buildLinesOf(spec)).toEqual(expect.arrayContaining(['$ npm ci', '$ npm run build']));
    expect(await fetchJson(await startAndWait(spec))).toBe('good day\n');
  });
});

describe('a static site', () => {
  it('is served from its folder', async () => {
    const spec = await built({ 'public/index.html': '<h1>Hi</h1>' });
    const instance = await startAndWait(spec);
    const response = await fetch(urlOf(instance));
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await response.text()).toBe('<h1>Hi</h1>');
  });

  it('is built first when package.json has a build script', async () => {
    const build = `node -e "fs.mkdirSync('dist'); fs.writeFileSync('dist/index.html', 'built')"`;
    const spec = await built({
      'index.html': 'source',
      'package.json': JSON.stringify({ scripts: { build } }),
    });
    const response = await fetch(urlOf(await startAndWait(spec)));
    expect(await response.text()).toBe('built');
  });
});

describe('releases', () => {
  it('run at the same time, and pruning keeps running ones', async () => {
    const spec = await built(nodeApp('"one"'));
    const first = await startAndWait(spec);
    const next = { ...spec, number: 2 };
    await engine.build(next, silent, signal);
    await engine.build({ ...spec, number: 3 }, silent, signal);
    const second = await startAndWait(next);
    await engine.pruneReleases(spec.appId, [3], signal);
    expect((await engine.observe(spec.appId, signal)).built).toEqual([1, 2, 3]);
    await engine.stopInstance(spec.appId, first, signal);
    expect(await fetchJson(second)).toBe('one');
    await engine.pruneReleases(spec.appId, [3], signal);
    expect((await engine.observe(spec.appId, signal)).built).toEqual([2, 3]);
    await expect(access(join(bench.dataDir, 'apps', spec.appId, 'releases/1'))).rejects.toThrow();
  });

  it('are not built when the build is interrupted', async () => {
    const files = nodeApp('"up"');
    files['package.json'] = JSON.stringify({
      scripts: { start: 'node server.js', build: 'node build.js' },
    });
    files['build.js'] = `console.log('building'); setInterval(() => {}, 1000);`;
    const spec = bench.spec(await bench.repository(files));
    const stop = new AbortController();
    const build = engine.build(spec, silent, stop.signal);
    await expect.poll(() => buildLinesOf(spec)).toContain('building');
    stop.abort();
    await expect(build).rejects.toThrow();
    expect((await engine.observe(spec.appId, signal)).built).toEqual([]);
  });
});

async function built(
  files: Record<string, string>,
  changes?: Partial<ReleaseSpec>,
): Promise<ReleaseSpec> {
  const spec = bench.spec(await bench.repository(files), changes);
  await engine.build(spec, silent, signal);
  return spec;
}

async function startAndWait(spec: ReleaseSpec): Promise<Instance> {
  const instance = await engine.startInstance(spec, signal);
  await engine.waitUntilListening(instance, spec, signal);
  return instance;
}

function urlOf({ address }: Instance): string {
  return `http://${address.host}:${address.port}/`;
}

async function fetchJson(instance: Instance): Promise<unknown> {
  return await (await fetch(urlOf(instance))).json();
}

function linesOf(spec: ReleaseSpec, { id }: Instance): string[] {
  return textsOf(`[app-${spec.appId.slice(0, 6)}-${id}]: `);
}

function buildLinesOf(spec: ReleaseSpec): string[] {
  return textsOf(`[app-${spec.appId.slice(0, 6)}-build-${spec.number}]: `);
}

function textsOf(prefix: string): string[] {
  return bench.lines
    .filter((line) => line.startsWith(prefix))
    .map((line) => line.slice(prefix.length));
}
