import { readFileSync } from 'node:fs';
import {
  createEngineBench,
  type EngineBench,
  withoutIsolation,
} from '@longshore/server/testing/process-engine';
import { runBenchmark } from './support/benchmark.ts';
import { compareRates } from './support/compare-rates.ts';
import { perSecond, startLoad } from './support/load/start-load.ts';
import type { Measurement } from './support/measurement.ts';
import { memoryOf } from './support/memory.ts';
import { processTreeOf } from './support/processes.ts';
import type { Scope } from './support/scope.ts';
import { median } from './support/statistics.ts';

const RUNS = 15;
const APPS = 20;
const CLIENTS = 16;
const ROUNDS = 5;
const ROUND_MS = 3_000;
const START_BUDGET_MS = 40;
const MIN_RATE = 0.9;
const MB = 1_000_000;
const BASELINE = 'the same engine without isolation';
const { signal } = new AbortController();

/** Without dependencies, so that building it takes no time. */
const APP = {
  Procfile: 'web: node server.js\n',
  'server.js': `require('node:http').createServer((request, response) => response.end('here'))
    .listen(process.env.PORT);`,
};

type Engine = Awaited<ReturnType<EngineBench['engine']>>;
type Spec = ReturnType<EngineBench['spec']>;
type Instance = Awaited<ReturnType<Engine['startInstance']>>;
/** An engine with apps that are built. */
type Engines = Record<'isolated' | 'plain', { engine: Engine; specs: Spec[] }>;
type Pair = { isolated: number; plain: number };

await runBenchmark('sandbox', async (scope) => {
  // Apps outlive a server, so waiting for one does not keep this process running.
  const running = setInterval(() => {}, 60_000);
  scope.defer(() => clearInterval(running));
  const engines = {
    isolated: await prepare({}, scope),
    plain: await prepare({ openSandbox: withoutIsolation }, scope),
  };
  const { isolation } = engines.isolated.engine;
  if (isolation.kind !== 'isolated') throw new Error(isolation.missing.join('\n'));
  return [
    ...(await measureStarts(engines)),
    ...(await measureRequests(engines, scope)),
    ...(await measureManyApps(engines)),
  ];
});

async function prepare(changes: Parameters<EngineBench['engine']>[0], scope: Scope) {
  const bench = await createEngineBench();
  scope.defer(bench.clear);
  // The CPU limit would limit the rate of requests too.
  const size = { cpus: 2, memoryBytes: 512 * 1024 ** 2, processes: 256 };
  const engine = await bench.engine(changes);
  const url = await bench.repository(APP);
  const specs = Array.from({ length: APPS }, () => bench.spec(url, { size }));
  for (const spec of specs) await engine.build(spec, () => {}, signal);
  return { engine, specs };
}

/** Both take turns, so that other work on the machine slows both. */
async function measureStarts(engines: Engines): Promise<Measurement[]> {
  const starts: Pair[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    starts.push({ isolated: await startMs(engines.isolated), plain: await startMs(engines.plain) });
  }
  return [
    ...startRows('start until listening, median', median, starts),
    ...startRows('start until listening, fastest', (times) => Math.min(...times), starts),
  ];
}

async function startMs({ engine, specs: [spec] }: Engines['plain']): Promise<number> {
  if (spec === undefined) throw new Error('No app is built');
  const startedAt = performance.now();
  const instance = await start(engine, spec);
  const tookMs = performance.now() - startedAt;
  await engine.stopInstance(spec.appId, instance, signal);
  return tookMs;
}

function startRows(name: string, pick: (times: number[]) => number, starts: Pair[]): Measurement[] {
  const value = pick(starts.map(({ isolated }) => isolated));
  const baseline = { name: BASELINE, value: pick(starts.map(({ plain }) => plain)) };
  return [
    { name, unit: 'ms', value, baseline },
    {
      name: '  overhead above the baseline',
      unit: 'ms',
      value: value - baseline.value,
      budget: START_BUDGET_MS,
    },
  ];
}

async function start(engine: Engine, spec: Spec): Promise<Instance> {
  const instance = await engine.startInstance(spec, signal);
  await engine.waitUntilListening(instance, spec, signal);
  return instance;
}

async function measureRequests(engines: Engines, scope: Scope): Promise<Measurement[]> {
  const isolated = await loadOf(engines.isolated, scope);
  const plain = await loadOf(engines.plain, scope);
  const rate = await compareRates({
    rounds: ROUNDS,
    roundMs: ROUND_MS,
    measured: isolated.rate,
    baseline: plain.rate,
  });
  await isolated.stop();
  await plain.stop();
  return [
    {
      name: `requests to an app, ${CLIENTS} clients`,
      unit: '/s',
      value: rate.value,
      baseline: { name: `${BASELINE}, on loopback`, value: rate.baseline },
      minRatio: MIN_RATE,
    },
  ];
}

async function loadOf({ engine, specs: [spec] }: Engines['plain'], scope: Scope) {
  if (spec === undefined) throw new Error('No app is built');
  const instance = await start(engine, spec);
  const clients = Array.from({ length: CLIENTS }, () => ({ method: 'GET' as const, path: '/' }));
  const load = await startLoad({ ...instance.address, clients, pauseMs: 0 }, scope);
  return {
    rate: async (forMs: number) => perSecond(await load.run(forMs)),
    stop: () => engine.stopInstance(spec.appId, instance, signal),
  };
}

type ManyApps = { startedMs: number; processesMb: number; machineMb: number };

async function measureManyApps(engines: Engines): Promise<Measurement[]> {
  const plain = await runManyApps(engines.plain);
  const isolated = await runManyApps(engines.isolated);
  const row = (name: string, unit: 'ms' | 'MB', pick: (from: ManyApps) => number) => ({
    name,
    unit,
    value: pick(isolated),
    baseline: { name: BASELINE, value: pick(plain) },
  });
  return [
    row(`${APPS} starts at once until all listen`, 'ms', ({ startedMs }) => startedMs),
    row('memory per app: its processes (PSS)', 'MB', ({ processesMb }) => processesMb / APPS),
    row('memory per app: less available on the machine', 'MB', (it) => it.machineMb / APPS),
  ];
}

async function runManyApps({ engine, specs }: Engines['plain']): Promise<ManyApps> {
  const others = new Set(processTreeOf(process.pid));
  const availableBefore = availableMb();
  const startedAt = performance.now();
  const instances = await Promise.all(specs.map((spec) => start(engine, spec)));
  const startedMs = performance.now() - startedAt;
  const machineMb = availableBefore - availableMb();
  const added = processTreeOf(process.pid).filter((pid) => !others.has(pid));
  const processesMb = memoryOf(added).pssMb;
  await Promise.all(
    specs.map(async ({ appId }, number) => {
      const instance = instances[number];
      if (instance !== undefined) await engine.stopInstance(appId, instance, signal);
    }),
  );
  return { startedMs, processesMb, machineMb };
}

/** Without what the kernel could free, such as cached files. Kernel objects of namespaces count too. */
function availableMb(): number {
  const kilobytes = /^MemAvailable:\s+(\d+) kB$/m.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1];
  return (Number(kilobytes) * 1024) / MB;
}
