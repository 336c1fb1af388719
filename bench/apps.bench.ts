import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { openManyApps } from '@longshore/server/testing/many-apps';
import { runBenchmark } from './support/benchmark.ts';
import { benchmarkFolder } from './support/benchmark-folder.ts';
import type { Measurement } from './support/measurement.ts';
import { cpuMs, isAlive, processTreeOf } from './support/processes.ts';
import type { Scope } from './support/scope.ts';
import { median } from './support/statistics.ts';

const COUNTS = [100, 1_000];
const EDITS = 20;
const QUIET_MS = 3_000;
const WATCH_MS = 20_000;
const MB = 1_000_000;
const BUDGET_CPU = 0.5;

/** Reconciler, ingress and database with a fake engine, in this process. */
await runBenchmark('apps', async (scope) => {
  const measured: Measurement[] = [];
  for (const count of COUNTS) measured.push(...(await measure(count, scope)));
  return measured;
});

async function measure(count: number, scope: Scope): Promise<Measurement[]> {
  const apps = await openManyApps(await benchmarkFolder(scope), count);
  scope.defer(apps.stop);
  const first = await timed(() => apps.start());
  await first.result.stop();
  const before = heapMb();
  const restarted = await timed(() => apps.start());
  const heap = heapMb() - before;
  const edits: number[] = [];
  for (let edit = 0; edit < EDITS; edit += 1) edits.push((await timed(apps.edit)).tookMs);
  const cpu = await idleCpu();
  await restarted.result.stop();
  return rows(count, { deployMs: first.tookMs, adoptMs: restarted.tookMs, edits, heap, cpu });
}

type AppsResult = { deployMs: number; adoptMs: number; edits: number[]; heap: number; cpu: number };

function rows(count: number, { deployMs, adoptMs, edits, heap, cpu }: AppsResult): Measurement[] {
  return [
    { name: `${count} apps: all deployed`, unit: 'ms', value: deployMs },
    { name: '  all adopted after a restart', unit: 'ms', value: adoptMs },
    { name: '  one reconcile pass after a restart', unit: 'ms', value: adoptMs / count },
    { name: '  edit until its release serves', unit: 'ms', value: median(edits) },
    { name: '  memory for all apps', unit: 'MB', value: heap },
    {
      name: `  CPU while idle over ${WATCH_MS / 1000} s, Postgres too`,
      unit: '%',
      value: cpu,
      budget: BUDGET_CPU,
    },
  ];
}

async function timed<T>(work: () => Promise<T>): Promise<{ result: T; tookMs: number }> {
  const startedAt = performance.now();
  const result = await work();
  return { result, tookMs: performance.now() - startedAt };
}

async function idleCpu(): Promise<number> {
  await delay(QUIET_MS);
  const before = new Map(processTreeOf(process.pid).map((pid) => [pid, cpuMs([pid])]));
  await delay(WATCH_MS);
  // Processes of idle database connections have exited in the meantime.
  const remaining = processTreeOf(process.pid).filter(isAlive);
  const used = remaining.map((pid) => cpuMs([pid]) - (before.get(pid) ?? 0));
  return (used.reduce((sum, ms) => sum + ms, 0) / WATCH_MS) * 100;
}

/** Heap in use after a garbage collection. */
function heapMb(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed / MB;
}
