import { randomUUID } from 'node:crypto';
import { createDockerBench, type DockerBench } from '@longshore/server/testing/docker-engine';
import { runBenchmark } from './support/benchmark.ts';
import { benchmarkFolder } from './support/benchmark-folder.ts';
import {
  PHASES,
  type Phase,
  type PhaseRecorder,
  type PhaseTimes,
  recordPhases,
} from './support/build-phases.ts';
import { createDockerPeer, type DockerPeer } from './support/docker-peer.ts';
import { SERVER } from './support/heavy-build.ts';
import type { Measurement } from './support/measurement.ts';
import { median } from './support/statistics.ts';

const WARM_RUNS = 7;
const COLD_RUNS = 3;
const WARM_BUDGET_MS = 2_000;
const PEER = "Docker's own builder";
const { signal } = new AbortController();

type Engine = Awaited<ReturnType<DockerBench['engine']>>;
type Spec = ReturnType<DockerBench['repositories']['spec']>;
type Target = {
  bench: DockerBench;
  engine: Engine;
  phases: PhaseRecorder;
  docker: DockerPeer;
  baseImage: string;
};
type Run = { ours: PhaseTimes; peerMs: number };

await runBenchmark('builds', async (scope) => {
  const bench = await createDockerBench();
  scope.defer(bench.clear);
  const phases = recordPhases(bench.daemon.api);
  const engine = await bench.engine({ docker: phases.docker });
  const docker = createDockerPeer(bench.daemon.api, await benchmarkFolder(scope));
  const baseImage = bench.deps.nodeImage;
  const target = { bench, engine, phases, docker, baseImage };
  // Fetches the image of the builder.
  await build(await sourceSpec(target, { ownerId: randomUUID() }), target);
  return [...(await measureCold(target)), ...(await measureWarm(target))];
});

/** The first release of each owner. Both take turns, and nothing of the earlier turn is left in the Engine. */
async function measureCold(target: Target): Promise<Measurement[]> {
  const sources: Run[] = [];
  const images: Run[] = [];
  for (let run = 0; run < COLD_RUNS; run += 1) {
    sources.push({
      peerMs: await afterClearing(target, async () => {
        await pullBase(target);
        await target.docker.build(`cold-${run}:1`, filesOf(target));
      }),
      ours: await cold(await sourceSpec(target, { ownerId: randomUUID() }), target),
    });
    images.push({
      peerMs: await afterClearing(target, () => pullBase(target)),
      ours: await cold(imageSpec(target, { ownerId: randomUUID() }), target),
    });
  }
  await clear(target);
  return [
    ...rows('first build of an owner', { name: 'docker pull and build', runs: sources }),
    ...rows('first image of an owner', { name: 'docker pull', runs: images }),
  ];
}

async function cold(spec: Spec, target: Target): Promise<PhaseTimes> {
  await clear(target);
  return await build(spec, target);
}

async function afterClearing(target: Target, work: () => Promise<void>): Promise<number> {
  await clear(target);
  return await durationOf(work);
}

async function clear({ engine, docker }: Target): Promise<void> {
  for (const appId of await engine.listApps(signal)) await engine.removeApp(appId, signal);
  await docker.removeImages();
}

/** One file changed. All have the base image. */
async function measureWarm(target: Target): Promise<Measurement[]> {
  await pullBase(target);
  const ownerId = randomUUID();
  const appId = randomUUID();
  const first = await sourceSpec(target, { ownerId, appId });
  await build(first, target);
  await target.docker.build('warm-0:1', filesOf(target));
  const releases: Run[] = [];
  const apps: Run[] = [];
  for (let run = 1; run <= WARM_RUNS; run += 1) {
    const peerMs = await durationOf(() => target.docker.build(`warm-${run}:1`, filesOf(target)));
    const release = await sourceSpec(target, { ownerId, appId, number: run + 1 });
    releases.push({ peerMs, ours: await build(release, target) });
    apps.push({ peerMs, ours: await build(await sourceSpec(target, { ownerId }), target) });
  }
  return [
    ...rows('small build, next release', { name: PEER, runs: releases, budget: WARM_BUDGET_MS }),
    ...rows('small build, new app', { name: PEER, runs: apps, budget: WARM_BUDGET_MS }),
  ];
}

async function pullBase({ bench, docker, baseImage }: Target): Promise<void> {
  const image = `${bench.images.host}/library/${baseImage}`;
  await docker.pull(image);
  const [repository = '', tag = ''] = baseImage.split(':');
  await docker.tag(image, repository, tag);
}

/** Different each time, so that no builder has the result. */
function filesOf({ baseImage }: Pick<Target, 'baseImage'>): Record<string, string> {
  return {
    Dockerfile: `FROM ${baseImage}\nWORKDIR /app\nCOPY . .\nCMD ["node", "server.js"]\n`,
    'server.js': `${SERVER}// ${randomUUID()}\n`,
  };
}

async function sourceSpec(target: Target, changes: Partial<Spec>): Promise<Spec> {
  const { repositories } = target.bench;
  return repositories.spec(await repositories.repository(filesOf(target)), {
    appId: randomUUID(),
    ...changes,
  });
}

function imageSpec({ bench, baseImage }: Target, changes: Partial<Spec>): Spec {
  const origin = { kind: 'image', image: baseImage } as const;
  return bench.repositories.spec('', { origin, ...changes });
}

/** From the moment when the source is checked out, which the peer does not do. */
async function build(spec: Spec, { engine, phases }: Target): Promise<PhaseTimes> {
  phases.begin();
  const onProgress: Parameters<Engine['build']>[1] = ({ phase }) => {
    if (phase === 'building' && spec.origin.kind === 'git') phases.begin();
  };
  await engine.build(spec, onProgress, signal);
  return phases.end();
}

async function durationOf(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

function rows(
  name: string,
  { name: peer, runs, budget }: { name: string; runs: Run[]; budget?: number },
): Measurement[] {
  const totals = runs.map(({ ours }) => Object.values(ours).reduce((sum, ms) => sum + ms, 0));
  const value = median(totals);
  const baseline = { name: peer, value: median(runs.map(({ peerMs }) => peerMs)) };
  const phaseMs = (phase: Phase) => median(runs.map(({ ours }) => ours[phase]));
  return [
    { name, unit: 'ms', value, baseline },
    {
      name: '  overhead above the baseline',
      unit: 'ms',
      value: value - baseline.value,
      ...(budget === undefined ? {} : { budget }),
    },
    ...PHASES.map((phase) => ({ name: `  ${phase}`, unit: 'ms' as const, value: phaseMs(phase) })),
  ];
}
