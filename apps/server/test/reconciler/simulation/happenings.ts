import { pinRevision } from '@longshore/contract';
import { buildAppValues } from '@longshore/testkit';
import { REFS } from './refs.ts';
import type { SimulatedServer } from './simulated-server.ts';
import type { World } from './world.ts';

const MOST_APPS = 12;
const CALLS_UNTIL_KILL = 60;
const DAY_MS = 86_400_000;
const SLEEP = { afterMinutes: 5 };

/** Something that users, the machine or the network do to a running server, and how often. */
type Happening = { weight: number; happen(world: World, server: SimulatedServer): void };

const onApp =
  (change: (world: World, appId: string) => void) =>
  (world: World): void => {
    const appIds = world.store.rows().filter((row) => !row.deleted);
    const row = appIds[world.random.below(appIds.length)];
    if (row !== undefined) change(world, row.id);
  };

const { source, publicAccess } = buildAppValues();

const HAPPENINGS: Happening[] = [
  {
    weight: 6,
    happen({ store, random }) {
      const count = store.rows().filter((row) => !row.deleted).length;
      if (count < MOST_APPS) store.addApp({ instances: random.chance(0.9) ? 1 : 0 });
    },
  },
  {
    weight: 12,
    happen: onApp(({ store, random }, appId) =>
      store.editApp(appId, { source: { ...source, ref: random.pick(REFS) } }),
    ),
  },
  {
    weight: 8,
    happen: onApp(({ store, random }, appId) =>
      store.editApp(appId, { source, env: { COLOUR: random.pick(['red', 'blue', 'green']) } }),
    ),
  },
  {
    weight: 8,
    happen: onApp(({ store, random }, appId) => {
      const served = store.releasesOf(appId).filter(({ outcome }) => outcome === 'live');
      const { revision, values } = served[random.below(served.length)] ?? {};
      if (revision !== undefined && values !== undefined) {
        store.editApp(appId, pinRevision(revision, values));
      }
    }),
  },
  {
    weight: 10,
    happen: onApp(({ store }, appId) =>
      store.editApp(appId, { instances: 1 - store.row(appId).values.instances }),
    ),
  },
  {
    weight: 5,
    happen: onApp(({ store, random }, appId) =>
      store.editApp(appId, { publicAccess: { ...publicAccess, enabled: random.chance(0.6) } }),
    ),
  },
  {
    weight: 5,
    happen: onApp(({ store, random }, appId) =>
      store.editApp(appId, { name: random.pick(['shop', 'harbour', 'lighthouse']) }),
    ),
  },
  {
    weight: 4,
    happen: onApp(({ store }, appId) => store.editApp(appId, { sleep: SLEEP })),
  },
  {
    weight: 8,
    happen: onApp(({ store }, appId) => {
      const { sleep, instances } = store.row(appId).values;
      const isIdle = instances === 1 && store.statusOf(appId).status === 'synced';
      if (sleep !== undefined && isIdle) store.editApp(appId, { instances: 0 });
    }),
  },
  {
    weight: 8,
    happen: onApp(({ store }, appId) => {
      const { sleep, instances } = store.row(appId).values;
      if (sleep !== undefined && instances === 0) store.editApp(appId, { instances: 1 });
    }),
  },
  { weight: 4, happen: onApp(({ store }, appId) => store.deleteApp(appId)) },
  {
    weight: 8,
    happen(world) {
      const ports = [...world.running.keys()];
      const port = ports[world.random.below(ports.length)];
      if (port === undefined) return;
      world.faults.note('instance crashed');
      world.crash(port);
    },
  },
  {
    weight: 6,
    happen({ faults, random }) {
      faults.setWeather(random.pick([0, 0, 0.01, 0.05, 0.3]));
    },
  },
  {
    weight: 6,
    happen({ faults, random }, server) {
      faults.note('server killed');
      server.life.endIn(1 + random.below(CALLS_UNTIL_KILL));
    },
  },
  {
    weight: 1,
    happen(world, server) {
      world.faults.note('machine rebooted');
      server.life.end();
      for (const port of [...world.running.keys()]) world.crash(port);
    },
  },
  {
    weight: 2,
    happen({ faults, random, setClock }) {
      const isForward = random.chance(0.5);
      faults.note(isForward ? 'clock set forward' : 'clock set back');
      setClock(random.below(DAY_MS) * (isForward ? 1 : -1));
    },
  },
  {
    weight: 5,
    happen({ faults }, server) {
      faults.note('notifications lost');
      server.setListening(false);
    },
  },
  { weight: 10, happen: (_, server) => server.setListening(true) },
];

/** One lot for each time its weight says. */
const LOTS = HAPPENINGS.flatMap((happening) => Array<Happening>(happening.weight).fill(happening));

export function happen(world: World, server: SimulatedServer): void {
  LOTS[world.random.below(LOTS.length)]?.happen(world, server);
}
