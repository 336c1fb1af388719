import { settle } from '@longshore/testkit';
import { expect, it } from 'vitest';
import { endingProblems } from '../../test/reconciler/simulation/ending-problems.ts';
import { FAULTS, type FaultKind } from '../../test/reconciler/simulation/faults.ts';
import { happen } from '../../test/reconciler/simulation/happenings.ts';
import { startSimulatedServer } from '../../test/reconciler/simulation/simulated-server.ts';
import { createWorld, type World } from '../../test/reconciler/simulation/world.ts';

const MINUTE_MS = 60_000;
const MINUTES = 600;
const MINUTES_OF_PEACE = 90;
/** Draining and stopping take less, and nothing has to be built. */
const MINUTES_TO_SLEEP = 2;
const LONGEST_TICK_MS = 60_000;

/** A few that are always the same, and one that nobody tried before. */
const SEEDS = [1, 2, 3, 4, 993_031, Date.now() % 1_000_000];

const tried = new Map<FaultKind, number>();
const done = new Set<string>();

it.each(SEEDS)('ends well whatever goes wrong (seed %i)', async (seed) => {
  const { world, server } = await live(seed);
  expect(await endingProblems(world, server)).toEqual([]);

  for (const { id } of wished(world)) world.store.editApp(id, { instances: 0 });
  await peace(world, MINUTES_TO_SLEEP);
  expect(world.running.size).toBe(0);
  expect(await endingProblems(world, server)).toEqual([]);

  for (const { id } of wished(world)) world.store.deleteApp(id);
  await peace(world, MINUTES_OF_PEACE);
  expect(await endingProblems(world, server)).toEqual([]);
  // The next look at everything, and nothing else.
  expect(world.clock.pending()).toBe(1);
  for (const [fault, count] of world.faults.counts)
    tried.set(fault, (tried.get(fault) ?? 0) + count);
  for (const { action } of world.engine.calls) done.add(action);
});

it('has tried every fault', () => {
  expect(FAULTS.filter((fault) => !tried.has(fault))).toEqual([]);
  const count = [...tried.values()].reduce((sum, each) => sum + each, 0);
  // biome-ignore lint/suspicious/noConsole: the figures, for who runs it
  console.info(`${count} faults in ${SEEDS.length} lives of ${MINUTES / 60} hours, apps lost: 0`);
});

it('has gone back to builds that were kept, and pruned others', () => {
  expect([...done]).toEqual(expect.arrayContaining(['build', 'reuseBuild', 'pruneReleases']));
});

/** Ten hours of trouble, and then some of peace. */
async function live(seed: number) {
  const world = createWorld(seed);
  const { random, clock, faults, violations } = world;
  let server = startSimulatedServer(world);
  const until = clock.now() + MINUTES * MINUTE_MS;
  while (clock.now() < until) {
    if (server.life.isOver()) server = startSimulatedServer(world);
    if (random.chance(0.02)) {
      faults.note('server stopped');
      await server.stop();
    } else {
      happen(world, server);
    }
    await clock.advance(1 + random.below(LONGEST_TICK_MS));
    expect(violations).toEqual([]);
  }
  faults.setWeather(0);
  if (server.life.isOver()) server = startSimulatedServer(world);
  server.life.endIn(Number.POSITIVE_INFINITY);
  server.setListening(true);
  await peace(world, MINUTES_OF_PEACE);
  return { world, server };
}

async function peace({ clock, violations }: World, minutes: number): Promise<void> {
  await settle();
  await clock.advance(minutes * MINUTE_MS);
  expect(violations).toEqual([]);
}

function wished({ store }: World) {
  return store.rows().filter((row) => !row.deleted);
}
