import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { postgresCommand, postgresOf, startBarePostgres } from './support/bare-postgres.ts';
import { runBenchmark } from './support/benchmark.ts';
import { benchmarkFolder } from './support/benchmark-folder.ts';
import { startEmptyServer } from './support/empty-server.ts';
import { startLongshore } from './support/longshore.ts';
import type { Measurement } from './support/measurement.ts';
import { type Memory, memoryOf } from './support/memory.ts';
import { cpuMs, processTreeOf } from './support/processes.ts';
import type { Scope } from './support/scope.ts';
import { ROOT } from './support/start-command.ts';

const COMPILED = join(ROOT, 'node_modules/.cache/compiled');
const QUIET_MS = 20_000;
const WATCH_MS = 30_000;
const BASELINE_MS = 10_000;
const BUDGET_MB = 150;
const BUDGET_CPU = 0.5;
const BASELINE = 'an empty Node server and the same Postgres alone';

type Idle = { together: Memory; server: Memory; postgres: Memory; cpu: number };

await runBenchmark('idle', async (scope) => {
  const dataDir = await benchmarkFolder(scope);
  const first = await firstStart(dataDir, scope);

  const longshore = await startLongshore(dataDir, scope);
  const postgres = postgresOf(longshore.pid);
  const command = postgresCommand(postgres);
  await delay(QUIET_MS);
  const idle = await watch(longshore.pid, postgres, WATCH_MS);
  await longshore.stop();

  const bareServer = await startEmptyServer(scope);
  const barePostgres = await startBarePostgres(command, scope);
  await delay(BASELINE_MS);
  const baseline = await watch(bareServer.pid, barePostgres.pid, BASELINE_MS);
  return [...measurements(idle, baseline), ...firstStartRow(first)];
});

/** As after cloning the repository: without a compile cache and without a database. */
async function firstStart(dataDir: string, scope: Scope): Promise<Memory> {
  await rm(COMPILED, { recursive: true, force: true });
  const longshore = await startLongshore(dataDir, scope);
  await delay(QUIET_MS);
  const memory = memoryOf(processTreeOf(longshore.pid));
  await longshore.stop();
  return memory;
}

function firstStartRow({ uniqueMb }: Memory): Measurement[] {
  if (uniqueMb === undefined) return [];
  return [
    {
      name: 'first start: memory, shared pages counted once',
      unit: 'MB',
      value: uniqueMb,
      budget: BUDGET_MB,
    },
  ];
}

/** Memory at the end of the period, CPU time over all of it. */
async function watch(serverPid: number, postgresPid: number, forMs: number): Promise<Idle> {
  const pids = [...new Set([...processTreeOf(serverPid), ...processTreeOf(postgresPid)])];
  const usedBefore = cpuMs(pids);
  await delay(forMs);
  const postgres = processTreeOf(postgresPid);
  return {
    together: memoryOf(pids),
    server: memoryOf(pids.filter((pid) => !postgres.includes(pid))),
    postgres: memoryOf(postgres),
    cpu: ((cpuMs(pids) - usedBefore) / forMs) * 100,
  };
}

function measurements(idle: Idle, baseline: Idle): Measurement[] {
  const row = (name: string, pick: (from: Idle) => number | undefined): Measurement[] => {
    const [value, baselineValue] = [pick(idle), pick(baseline)];
    if (value === undefined || baselineValue === undefined) return [];
    return [{ name, unit: 'MB', value, baseline: { name: BASELINE, value: baselineValue } }];
  };
  const budgeted = (rows: Measurement[]) => rows.map((it) => ({ ...it, budget: BUDGET_MB }));
  return [
    ...budgeted(row('memory, shared pages counted once', (from) => from.together.uniqueMb)),
    ...row('  server only', (from) => from.server.uniqueMb),
    ...row('  Postgres only', (from) => from.postgres.uniqueMb),
    ...budgeted(row('memory, PSS', (from) => from.together.pssMb)),
    ...budgeted(row('memory, RSS summed', (from) => from.together.rssMb)),
    {
      name: `CPU over ${WATCH_MS / 1000} s`,
      unit: '%',
      value: idle.cpu,
      baseline: { name: BASELINE, value: baseline.cpu },
      budget: BUDGET_CPU,
    },
  ];
}
