import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createDockerBench } from '@longshore/server/testing/docker-engine';
import { NODE_AND_NPM_IMAGE } from '@longshore/server/testing/node-image';
import { type NpmRegistry, startNpmRegistry } from '@longshore/server/testing/npm-registry';
import { createEngineBench, type EngineBench } from '@longshore/server/testing/process-engine';
import { runBenchmark } from './support/benchmark.ts';
import { SERVER } from './support/heavy-build.ts';
import type { Measurement } from './support/measurement.ts';
import { ROOT } from './support/start-command.ts';
import { median } from './support/statistics.ts';

const RUNS = 3;
/** How much faster an unchanged rebuild is at least. */
const MIN_RATIO = 3;
/** Where builds reach the edge, which the registry stands for. */
const GATEWAY = '10.213.0.1';
/** Packages of this repository that need nothing but each other and what `packageFolders` finds. */
const PACKAGES = [
  'react-dom',
  'react-router',
  'zod',
  'kysely',
  'graphql',
  'hono',
  'xstate',
  'jose',
  'happy-dom',
];
const { signal } = new AbortController();

type Spec = ReturnType<EngineBench['spec']>;
type Builds = { build(spec: Spec, progress: () => void, signal: AbortSignal): Promise<unknown> };

await runBenchmark('rebuild', async (scope) => {
  const registry = await startNpmRegistry(await packageFolders());
  scope.defer(registry.stop);
  const edge = { host: '127.0.0.1', ports: [registry.port] };
  const processes = await createEngineBench();
  scope.defer(processes.clear);
  const { deps } = processes;
  const limits = { ...deps.limits, buildMs: 600_000 };
  const processEngine = await processes.engine({ limits, network: { ...deps.network, edge } });
  const docker = await createDockerBench();
  scope.defer(docker.clear);
  const dockerEngine = await docker.engine({
    nodeImage: NODE_AND_NPM_IMAGE,
    limits: { ...docker.deps.limits, buildMs: 600_000 },
    network: { ...docker.deps.network, edge },
  });
  return [
    await measure('process engine', processEngine, await specOf(processes, registry)),
    await measure('Docker', dockerEngine, await specOf(docker.repositories, registry)),
  ];
});

/** A cold build of an app that was built before, so that neither has to start a builder or pull an image. */
async function measure(name: string, engine: Builds, spec: Spec): Promise<Measurement> {
  await engine.build(spec, () => {}, signal);
  const cold: number[] = [];
  const warm: number[] = [];
  for (let run = 1; run <= RUNS; run += 1) {
    const cleared = { ...spec, cacheClears: run };
    cold.push(await durationOf(engine, { ...cleared, number: 2 * run }));
    warm.push(await durationOf(engine, { ...cleared, number: 2 * run + 1 }));
  }
  const baseline = { name: 'unchanged rebuild', value: median(warm) };
  return {
    name: `${name}: cold build`,
    unit: 'ms',
    value: median(cold),
    baseline,
    minRatio: MIN_RATIO,
  };
}

async function durationOf(engine: Builds, spec: Spec): Promise<number> {
  const startedAt = performance.now();
  await engine.build(spec, () => {}, signal);
  return performance.now() - startedAt;
}

async function specOf(repositories: EngineBench, registry: NpmRegistry): Promise<Spec> {
  const url = await repositories.repository({ ...registry.project(), 'server.js': SERVER });
  const env = { npm_config_registry: `http://${GATEWAY}:${registry.port}/` };
  return repositories.spec(url, { env });
}

/** With everything that they depend on. */
async function packageFolders(): Promise<string[]> {
  const found = new Map<string, string>();
  const missing = [...PACKAGES];
  for (let name = missing.pop(); name !== undefined; name = missing.pop()) {
    if (found.has(name)) continue;
    const folder = join(ROOT, 'node_modules', name);
    found.set(name, folder);
    const { dependencies = {} } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    missing.push(...Object.keys(dependencies));
  }
  return [...found.values()];
}
