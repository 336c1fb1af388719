import { readFile } from 'node:fs/promises';
import { eventually } from '@longshore/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createEngineBench,
  type EngineBench,
  nodeApp,
} from '../../../test/engines/process/engine-bench.ts';
import { isAlive } from '../../processes/process-stat.ts';
import { openControlGroups } from '../../sandbox/open-sandbox.ts';
import type { Instance, ReleaseSpec } from '../engine.ts';
import type { ProcessEngine } from './engine.ts';

const { signal } = new AbortController();
const MEMORY = 160 * 1024 ** 2;
const SMALL = { memoryBytes: MEMORY, cpus: 0.5, processes: 40 };
/** Allocates memory until it fails. */
const EXHAUSTS_MEMORY = 'const kept = []; for (;;) kept.push(Buffer.alloc(8_000_000, 1));';

/** Needs root and writable control groups. */
describe.runIf(process.getuid?.() === 0)('limits', () => {
  let bench: EngineBench;
  let engine: ProcessEngine;
  const serverLog: string[] = [];

  beforeAll(async () => {
    bench = await createEngineBench();
    engine = await bench.engine(small());
  });
  afterAll(() => bench.clear());

  it('are logged once, when the engine is created', () => {
    expect(serverLog).toEqual(['Apps are limited in memory, CPU and processes by control groups']);
  });

  it('apply to an instance: CPU, memory and processes in its control group', async () => {
    const spec = await built(
      nodeApp('require("node:fs").readFileSync("/proc/self/cgroup", "utf8")'),
    );
    const instance = await startAndWait(spec);
    const groups = String(await fetchJson(instance));
    const limit = async (controller: string, older: string, newer: string) => {
      const [, path] =
        new RegExp(`^\\d+:(?:${controller})?:(/longshore-.+)$`, 'm').exec(groups) ?? [];
      const folder = '/sys/fs/cgroup';
      return await readFile(`${folder}/${controller}${path}/${older}`, 'utf8').catch(() =>
        readFile(`${folder}${path}/${newer}`, 'utf8'),
      );
    };
    expect(await limit('cpu', 'cpu.cfs_quota_us', 'cpu.max')).toMatch(/^50000\b/);
    expect(await limit('memory', 'memory.limit_in_bytes', 'memory.max')).toBe(`${MEMORY}\n`);
    expect(await limit('pids', 'pids.max', 'pids.max')).toBe('40\n');
    await engine.stopInstance(spec.appId, instance, signal);
  });

  it('keep an instance from starting too many processes', async () => {
    const files = nodeApp('Promise.all(started).then((all) => all.filter(Boolean).length)');
    files['server.js'] += `const { spawn } = require('node:child_process');
      const started = Array.from({ length: 60 }, () => new Promise((resolve) => {
        const child = spawn('/bin/sleep', ['987']);
        child.once('error', () => resolve(false));
        child.once('spawn', () => resolve(true));
      }));`;
    const spec = await built(files);
    const instance = await startAndWait(spec);
    const count = Number(await fetchJson(instance));
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThan(40);
    await engine.stopInstance(spec.appId, instance, signal);
  });

  it('distinguish an instance that ran out of memory from one that was killed', async () => {
    const spec = await built({ ...nodeApp(), 'server.js': EXHAUSTS_MEMORY });
    const instance = await engine.startInstance(spec, signal);
    await expect(engine.waitUntilListening(instance, spec, signal)).rejects.toMatchObject({
      reason: 'out-of-memory',
    });
    const [seen] = (await engine.observe(spec.appId, signal)).instances;
    expect(seen?.state).toMatchObject({ exit: { signal: 'SIGKILL', isOutOfMemory: true } });
  });

  it('report out-of-memory of an instance that exited while no server ran', async () => {
    const files = nodeApp('setImmediate(() => { while (true) kept.push(Buffer.alloc(8e6, 1)); })');
    files['server.js'] += 'const kept = [];';
    const firstServer = await bench.engine(small());
    const spec = bench.spec(await bench.repository(files), { size: SMALL });
    await firstServer.build(spec, () => {}, signal);
    const instance = await firstServer.startInstance(spec, signal);
    await firstServer.waitUntilListening(instance, spec, signal);
    await firstServer.close();
    await fetchJson(instance).catch(() => {});
    const secondServer = await bench.engine(small());
    await eventually(async () => {
      const [seen] = (await secondServer.observe(spec.appId, signal)).instances;
      return seen?.state.kind === 'exited' && seen.state.exit.isOutOfMemory === true;
    }, 'the instance to exit');
  });

  it('limit the memory of a build', async () => {
    const files = {
      'package.json': JSON.stringify({ scripts: { start: 'x', build: 'node eat.js' } }),
    };
    const spec = bench.spec(await bench.repository({ ...files, 'eat.js': EXHAUSTS_MEMORY }));
    await expect(engine.build(spec, () => {}, signal)).rejects.toMatchObject({
      reason: 'build-out-of-memory',
      evidence: expect.arrayContaining([
        'npm run build exceeded the build memory limit of 160 MiB',
      ]),
    });
  });

  it('stop detached processes without marks together with their instance, but not those of another instance', async () => {
    const files = nodeApp('child.pid');
    files['server.js'] += `const child = require('node:child_process').spawn('/bin/sleep', ['987'],
      { detached: true, stdio: 'ignore', env: {} });`;
    const spec = await built(files);
    const [first, second] = [await startAndWait(spec), await startAndWait(spec)];
    const pids = [
      await bench.pidOf(spec, first, Number(await fetchJson(first))),
      await bench.pidOf(spec, second, Number(await fetchJson(second))),
    ] as const;
    await engine.stopInstance(spec.appId, first, signal);
    expect(await Promise.all(pids.map(isAlive))).toEqual([false, true]);
    await engine.removeApp(spec.appId, signal);
    expect(await isAlive(pids[1])).toBe(false);
    expect(
      openControlGroups(bench.dataDir)
        ?.list()
        .filter((name) => name.includes(spec.appId)),
    ).toEqual([]);
  });

  describe('without control groups', () => {
    let withoutGroups: ProcessEngine;

    beforeAll(async () => {
      withoutGroups = await bench.engine({ ...small(), isRoot: false });
    });

    it('are logged as approximate', () => {
      expect(serverLog.at(-1)).toContain('No control groups');
    });

    it('let an ordinary Node app run, with RLIMIT_DATA on each process', async () => {
      const files = nodeApp('require("node:fs").readFileSync("/proc/self/limits", "utf8")');
      const spec = bench.spec(await bench.repository(files), { size: SMALL });
      await withoutGroups.build(spec, () => {}, signal);
      const instance = await withoutGroups.startInstance(spec, signal);
      await withoutGroups.waitUntilListening(instance, spec, signal);
      // Twice the memory, and the 512 MiB that V8 maps for machine code.
      const bytes = (2 * 160 + 512) * 1024 ** 2;
      expect(String(await fetchJson(instance))).toMatch(
        new RegExp(`^Max data size\\s+${bytes}\\s+${bytes}`, 'm'),
      );
      await withoutGroups.stopInstance(spec.appId, instance, signal);
    });

    it('stop a process that uses too much memory', async () => {
      // If it could allocate 400 MB, more than twice its 160 MiB, it would listen and the test would fail.
      const allocate =
        'const kept = []; for (let i = 0; i < 50; i++) kept.push(Buffer.alloc(8e6, 1));';
      const files = nodeApp();
      files['server.js'] = `${allocate}\n${files['server.js']}`;
      const spec = bench.spec(await bench.repository(files), { size: SMALL });
      await withoutGroups.build(spec, () => {}, signal);
      const instance = await withoutGroups.startInstance(spec, signal);
      await expect(withoutGroups.waitUntilListening(instance, spec, signal)).rejects.toMatchObject({
        reason: 'app-exited',
        evidence: expect.arrayContaining([expect.stringContaining('ERR_MEMORY_ALLOCATION_FAILED')]),
      });
    });
  });

  function small() {
    const limits = { ...bench.deps.limits, build: { ...SMALL, cpus: 1 } };
    return { limits, logInfo: (line: string) => serverLog.push(line) };
  }

  async function built(files: Record<string, string>): Promise<ReleaseSpec> {
    const spec = bench.spec(await bench.repository(files), { size: SMALL });
    await engine.build(spec, () => {}, signal);
    return spec;
  }

  async function startAndWait(spec: ReleaseSpec): Promise<Instance> {
    const instance = await engine.startInstance(spec, signal);
    await engine.waitUntilListening(instance, spec, signal);
    return instance;
  }
});

async function fetchJson({ address }: Instance): Promise<unknown> {
  return await (await fetch(`http://${address.host}:${address.port}/`)).json();
}
