import { pinRevision } from '@longshore/contract';
import { buildAppValues } from '@longshore/testkit';
import type { Environment } from './environment.ts';
import { REFS } from './refs.ts';
import type { SimulatedServer } from './simulated-server.ts';

const MAX_APPS = 12;
const MAX_REPLICAS = 4;
const CALLS_UNTIL_KILL = 60;
const DAY_MS = 86_400_000;
const SLEEP = { afterMinutes: 5 };

/** Something that users, the machine or the network do to a running server, and how often. */
type RandomEvent = {
  weight: number;
  apply(environment: Environment, server: SimulatedServer): void;
};

const onApp =
  (change: (environment: Environment, appId: string) => void) =>
  (environment: Environment): void => {
    const rows = environment.store.rows().filter((row) => !row.deleted);
    const row = rows[environment.random.below(rows.length)];
    if (row !== undefined) change(environment, row.id);
  };

const { source, publicAccess } = buildAppValues();

const EVENTS: RandomEvent[] = [
  {
    weight: 6,
    apply({ store, engine, random }) {
      const count = store.rows().filter((row) => !row.deleted).length;
      if (count >= MAX_APPS) return;
      const replicas = random.chance(0.5) ? { replicas: 1 + random.below(MAX_REPLICAS) } : {};
      const appId = store.addApp({ instances: random.chance(0.9) ? 1 : 0, ...replicas });
      engine.setBehaviour(appId, { needsProtection: random.chance(0.5) });
    },
  },
  {
    weight: 12,
    apply: onApp(({ store, random }, appId) =>
      store.editApp(appId, { source: { ...source, ref: random.pick(REFS) } }),
    ),
  },
  {
    weight: 8,
    apply: onApp(({ store, random }, appId) =>
      store.editApp(appId, { source, env: { COLOUR: random.pick(['red', 'blue', 'green']) } }),
    ),
  },
  {
    weight: 8,
    apply: onApp(({ store, random }, appId) => {
      const live = store.releasesOf(appId).filter(({ outcome }) => outcome === 'live');
      const { revision, values } = live[random.below(live.length)] ?? {};
      if (revision !== undefined && values !== undefined) {
        store.editApp(appId, pinRevision(revision, values));
      }
    }),
  },
  {
    weight: 6,
    apply: onApp(({ store, random }, appId) => {
      const releaseCommand = random.pick(['migrate', 'migrate again', '']);
      store.editApp(appId, { run: releaseCommand === '' ? {} : { releaseCommand } });
    }),
  },
  {
    weight: 10,
    apply: onApp(({ store }, appId) =>
      store.editApp(appId, { instances: 1 - store.row(appId).values.instances }),
    ),
  },
  {
    weight: 10,
    apply: onApp(({ store, random }, appId) =>
      store.editApp(appId, { replicas: 1 + random.below(MAX_REPLICAS) }),
    ),
  },
  {
    weight: 5,
    apply: onApp(({ store, random }, appId) =>
      store.editApp(appId, { publicAccess: { ...publicAccess, enabled: random.chance(0.6) } }),
    ),
  },
  {
    weight: 5,
    apply: onApp(({ store, random }, appId) =>
      store.editApp(appId, { name: random.pick(['shop', 'harbour', 'lighthouse']) }),
    ),
  },
  {
    weight: 4,
    apply: onApp(({ store }, appId) => store.editApp(appId, { sleep: SLEEP })),
  },
  {
    weight: 8,
    apply: onApp(({ store }, appId) => {
      const { sleep, instances } = store.row(appId).values;
      const isIdle = instances === 1 && store.statusOf(appId).status === 'synced';
      if (sleep !== undefined && isIdle) store.editApp(appId, { instances: 0 });
    }),
  },
  {
    weight: 8,
    apply: onApp(({ store }, appId) => {
      const { sleep, instances } = store.row(appId).values;
      if (sleep !== undefined && instances === 0) store.editApp(appId, { instances: 1 });
    }),
  },
  { weight: 4, apply: onApp(({ store }, appId) => store.deleteApp(appId)) },
  { weight: 12, apply: onApp(({ store }, appId) => store.cancelBuild(appId)) },
  {
    weight: 6,
    apply: onApp(({ store }, appId) => {
      if (store.observedOf(appId).retry !== undefined) store.requestRetry(appId);
    }),
  },
  {
    weight: 8,
    apply(environment) {
      const ports = [...environment.running.keys()];
      const port = ports[environment.random.below(ports.length)];
      if (port === undefined) return;
      environment.faults.record('instance crashed');
      environment.crash(port);
    },
  },
  {
    weight: 6,
    apply({ faults, random }) {
      faults.setProbability(random.pick([0, 0, 0.01, 0.05, 0.3]));
    },
  },
  {
    weight: 6,
    apply({ faults, random }, server) {
      faults.record('server killed');
      server.run.killAfterCalls(1 + random.below(CALLS_UNTIL_KILL));
    },
  },
  {
    weight: 1,
    apply(environment, server) {
      environment.faults.record('machine rebooted');
      server.run.kill();
      for (const port of [...environment.running.keys()]) environment.crash(port);
    },
  },
  {
    weight: 2,
    apply({ faults, random, shiftClock }) {
      const isForward = random.chance(0.5);
      faults.record(isForward ? 'clock set forward' : 'clock set back');
      shiftClock(random.below(DAY_MS) * (isForward ? 1 : -1));
    },
  },
  {
    weight: 5,
    apply({ faults }, server) {
      faults.record('notifications lost');
      server.setListening(false);
    },
  },
  { weight: 10, apply: (_, server) => server.setListening(true) },
];

/** Each event as often as its weight. */
const WEIGHTED = EVENTS.flatMap((event) => Array<RandomEvent>(event.weight).fill(event));

export function applyRandomEvent(environment: Environment, server: SimulatedServer): void {
  WEIGHTED[environment.random.below(WEIGHTED.length)]?.apply(environment, server);
}
