import { settle } from '@longshore/testkit';
import { afterAll, expect, it } from 'vitest';
import { endingProblems } from '../../test/reconciler/simulation/ending-problems.ts';
import { JOURNEY } from '../../test/reconciler/simulation/journey.ts';
import {
  type SimulatedServer,
  startSimulatedServer,
} from '../../test/reconciler/simulation/simulated-server.ts';
import { createWorld, type World } from '../../test/reconciler/simulation/world.ts';

/** A build, a pause after a crash and a release that never answers take less. */
const SETTLES_MS = 15 * 60_000;
const SEED = 7;
/** No leg has more calls that go out or come back. */
const MOST_KILLS = 200;

let kills = 0;

/** The server is killed at the first call of the leg, in the next life at the second, until it outlives the leg. */
it.each(JOURNEY.map(({ name }, position) => [name, position] as const))(
  'ends well wherever the server is killed during %s',
  async (_, position) => {
    for (let call = 1; ; call += 1) {
      expect(call).toBeLessThan(MOST_KILLS);
      const { world, server, appId } = await arrive(position);
      server.life.endIn(call);
      JOURNEY[position]?.begin(world, appId);
      await pass(world);
      if (!server.life.isOver()) break;
      kills += 1;
      const next = startSimulatedServer(world);
      await pass(world);
      expect(await endingProblems(world, next), `killed at call ${call}`).toEqual([]);
      expect(world.violations, `killed at call ${call}`).toEqual([]);
    }
  },
);

it('was killed at more places than one test could list', () => {
  expect(kills).toBeGreaterThan(JOURNEY.length * 5);
});

// biome-ignore lint/suspicious/noConsole: the figures, for who runs it
afterAll(() => console.info(`${kills} kills, one at each call of each leg, apps lost: 0`));

/** An app that has made all legs before this one. */
async function arrive(
  position: number,
): Promise<{ world: World; server: SimulatedServer; appId: string }> {
  const world = createWorld(SEED);
  const server = startSimulatedServer(world);
  await settle();
  if (position === 0) return { world, server, appId: world.store.addApp() };
  const appId = world.store.addApp();
  await pass(world);
  for (const leg of JOURNEY.slice(1, position)) {
    leg.begin(world, appId);
    await pass(world);
  }
  return { world, server, appId };
}

async function pass({ clock }: World): Promise<void> {
  await settle();
  await clock.advance(SETTLES_MS);
}
