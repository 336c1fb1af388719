import { settle } from '@longshore/testkit';
import { expect, it } from 'vitest';
import {
  createEnvironment,
  type Environment,
} from '../../test/reconciler/simulation/environment.ts';
import { FAULTS, type FaultKind } from '../../test/reconciler/simulation/faults.ts';
import { finalProblems } from '../../test/reconciler/simulation/final-problems.ts';
import { applyRandomEvent } from '../../test/reconciler/simulation/random-events.ts';
import { startSimulatedServer } from '../../test/reconciler/simulation/simulated-server.ts';

const MINUTE_MS = 60_000;
const MINUTES = 600;
const MINUTES_WITHOUT_FAULTS = 90;
/** Draining and stopping take less, and nothing has to be built. */
const MINUTES_TO_HIBERNATE = 2;
const LONGEST_TICK_MS = 60_000;

/** Fixed seeds, and a different one in each run. */
const SEEDS = [1, 2, 3, 4, 631_186, 993_031, Date.now() % 1_000_000];

const faultCounts = new Map<FaultKind, number>();
const engineActions = new Set<string>();
const outcomes = new Set<string | undefined>();

it.each(SEEDS)('reaches the desired state despite random faults (seed %i)', async (seed) => {
  const { environment, server } = await simulate(seed);
  expect(await finalProblems(environment, server)).toEqual([]);

  for (const { id } of environment.store.rows()) {
    for (const { outcome } of environment.store.releasesOf(id)) outcomes.add(outcome);
  }
  for (const { id } of existingApps(environment)) environment.store.editApp(id, { instances: 0 });
  await waitWithoutFaults(environment, MINUTES_TO_HIBERNATE);
  expect(environment.running.size).toBe(0);
  expect(await finalProblems(environment, server)).toEqual([]);

  for (const { id } of existingApps(environment)) environment.store.deleteApp(id);
  await waitWithoutFaults(environment, MINUTES_WITHOUT_FAULTS);
  expect(await finalProblems(environment, server)).toEqual([]);
  // Only the timer of the resync is left.
  expect(environment.clock.pending()).toBe(1);
  for (const [fault, count] of environment.faults.counts)
    faultCounts.set(fault, (faultCounts.get(fault) ?? 0) + count);
  for (const { action } of environment.engine.calls) engineActions.add(action);
});

it('has injected every kind of fault', () => {
  expect(FAULTS.filter((fault) => !faultCounts.has(fault))).toEqual([]);
  const count = [...faultCounts.values()].reduce((sum, each) => sum + each, 0);
  // biome-ignore lint/suspicious/noConsole: prints the numbers of the run
  console.info(
    `${count} faults in ${SEEDS.length} simulations of ${MINUTES / 60} hours, apps lost: 0`,
  );
});

it('has reused stored builds and pruned others', () => {
  expect([...engineActions]).toEqual(
    expect.arrayContaining(['build', 'reuseBuild', 'pruneReleases']),
  );
});

it('has protected instances', () => {
  expect([...engineActions]).toContain('protectInstances');
});

it('has reached every outcome of a release', () => {
  const expected = ['live', 'failed', 'superseded', 'cancelled'];
  expect([...outcomes]).toEqual(expect.arrayContaining(expected));
});

/** Ten hours with faults, and then some time without. */
async function simulate(seed: number) {
  const environment = createEnvironment(seed);
  const { random, clock, faults, violations } = environment;
  let server = startSimulatedServer(environment);
  const until = clock.now() + MINUTES * MINUTE_MS;
  while (clock.now() < until) {
    if (server.run.hasEnded()) server = startSimulatedServer(environment);
    if (random.chance(0.02)) {
      faults.record('server stopped');
      await server.stop();
    } else {
      applyRandomEvent(environment, server);
    }
    await clock.advance(1 + random.below(LONGEST_TICK_MS));
    expect(violations).toEqual([]);
  }
  faults.setProbability(0);
  if (server.run.hasEnded()) server = startSimulatedServer(environment);
  server.run.killAfterCalls(Number.POSITIVE_INFINITY);
  server.setListening(true);
  await waitWithoutFaults(environment, MINUTES_WITHOUT_FAULTS);
  return { environment, server };
}

async function waitWithoutFaults(
  { clock, violations }: Environment,
  minutes: number,
): Promise<void> {
  await settle();
  await clock.advance(minutes * MINUTE_MS);
  expect(violations).toEqual([]);
}

function existingApps({ store }: Environment) {
  return store.rows().filter((row) => !row.deleted);
}
