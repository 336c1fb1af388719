import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { postgresCommand, postgresOf, startBarePostgres } from './support/bare-postgres.ts';
import { runBenchmark } from './support/benchmark.ts';
import { benchmarkFolder } from './support/benchmark-folder.ts';
import { startEmptyServer } from './support/empty-server.ts';
import { type Longshore, startLongshore } from './support/longshore.ts';
import type { Measurement } from './support/measurement.ts';
import { type Memory, memoryOf } from './support/memory.ts';
import { cpuMs, processesIn, processTreeOf } from './support/processes.ts';
import type { Scope } from './support/scope.ts';
import { ROOT } from './support/start-command.ts';

const COMPILED = join(ROOT, 'node_modules/.cache/compiled');
/** Together a minute. Connections to the database that are not needed are closed after ten seconds. */
const QUIET_MS = 30_000;
const WATCH_MS = 30_000;
const BASELINE_MS = 10_000;
const BUDGET_MB = 180;
const BUDGET_CPU = 0.5;
const BASELINE = 'an empty Node server and the same Postgres alone';

/** The processes of an installation. */
type Parts = { server: number[]; edge: number[]; postgres: number[] };

type Idle = { together: Memory; parts: Record<keyof Parts, Memory>; cpu: number };

await runBenchmark('idle', async (scope) => {
  const dataDir = await benchmarkFolder(scope);
  // As after cloning the repository: without a compile cache and without a database.
  await rm(COMPILED, { recursive: true, force: true });
  const first = await startAndWatch(dataDir, scope);
  const { command, ...later } = await startAndWatch(dataDir, scope);

  const server = await startEmptyServer(scope);
  const postgres = await startBarePostgres(command, scope);
  await delay(BASELINE_MS);
  const parts = { server: [server.pid], edge: [], postgres: processTreeOf(postgres.pid) };
  const baseline = await watch(() => parts, BASELINE_MS);
  return [...measurements('first start', first), ...measurements('later start', later, baseline)];
});

async function startAndWatch(dataDir: string, scope: Scope) {
  const longshore = await startLongshore(dataDir, scope);
  await delay(QUIET_MS);
  const idle = await watch(() => partsOf(longshore, dataDir), WATCH_MS);
  const command = postgresCommand(postgresOf(longshore.pid));
  await longshore.stop();
  return { ...idle, command };
}

/** The edge outlives the server, so it is not among its descendants. Its processes run in its folder. */
function partsOf({ pid }: Longshore, dataDir: string): Parts {
  const postgres = processTreeOf(postgresOf(pid));
  const edge = processesIn(join(dataDir, 'edge'));
  const server = processTreeOf(pid).filter((it) => !postgres.includes(it));
  if (edge.length < 2) throw new Error('The edge does not run: it has a keeper and a worker');
  return { server, edge, postgres };
}

/** Memory at the end of the period, CPU time over all of it. */
async function watch(find: () => Parts, forMs: number): Promise<Idle> {
  const before = cpuMs(Object.values(find()).flat());
  await delay(forMs);
  const { server, edge, postgres } = find();
  const pids = [...server, ...edge, ...postgres];
  return {
    together: memoryOf(pids),
    parts: { server: memoryOf(server), edge: memoryOf(edge), postgres: memoryOf(postgres) },
    cpu: ((cpuMs(pids) - before) / forMs) * 100,
  };
}

function measurements(start: string, idle: Idle, baseline?: Idle): Measurement[] {
  const megabytes = (name: string, pick: (from: Idle) => number | undefined): Measurement[] => {
    const [value, baselineValue] = [pick(idle), baseline && pick(baseline)];
    if (value === undefined) return [];
    const row: Measurement = { name: `${start}: ${name}`, unit: 'MB', value };
    return [baselineValue ? { ...row, baseline: { name: BASELINE, value: baselineValue } } : row];
  };
  const budgeted = (rows: Measurement[]) => rows.map((it) => ({ ...it, budget: BUDGET_MB }));
  const cpu: Measurement = {
    name: `${start}: CPU over ${WATCH_MS / 1000} s`,
    unit: '%',
    value: idle.cpu,
    budget: BUDGET_CPU,
  };
  return [
    ...budgeted(megabytes('memory, each page once', ({ together }) => together.uniqueMb)),
    ...budgeted(megabytes('memory, PSS', ({ together }) => together.pssMb)),
    ...megabytes('  PSS of the server', ({ parts }) => parts.server.pssMb),
    ...megabytes('  PSS of the edge', ({ parts }) => parts.edge.pssMb),
    ...megabytes('  PSS of Postgres', ({ parts }) => parts.postgres.pssMb),
    ...megabytes('memory, RSS summed', ({ together }) => together.rssMb),
    baseline === undefined ? cpu : { ...cpu, baseline: { name: BASELINE, value: baseline.cpu } },
  ];
}
