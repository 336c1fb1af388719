import { buildAppValues } from '@longshore/testkit';
import type { World } from './world.ts';

const { source } = buildAppValues();

/** One thing that happens to an app, of which a server may be killed in the middle. */
export type Leg = { name: string; begin(world: World, appId: string): void };

/** Everything that can be done to one app, one after the other. */
export const JOURNEY: Leg[] = [
  { name: 'the first deployment', begin() {} },
  {
    name: 'an edit',
    begin: ({ store }, appId) => store.editApp(appId, { env: { COLOUR: 'blue' } }),
  },
  {
    name: 'a new name',
    begin: ({ store }, appId) => store.editApp(appId, { name: 'harbour' }),
  },
  {
    name: 'a crash',
    begin(world, appId) {
      for (const { address } of world.runningOf(appId)) world.crash(address.port);
    },
  },
  { name: 'hibernating', begin: ({ store }, appId) => store.editApp(appId, { instances: 0 }) },
  { name: 'waking', begin: ({ store }, appId) => store.editApp(appId, { instances: 1 }) },
  {
    name: 'an edit that fails to build',
    begin: ({ store }, appId) => store.editApp(appId, { source: { ...source, ref: 'broken' } }),
  },
  {
    name: 'an edit that never answers',
    begin: ({ store }, appId) => store.editApp(appId, { source: { ...source, ref: 'silent' } }),
  },
  {
    name: 'going back',
    begin({ store }, appId) {
      const [first] = store.releasesOf(appId);
      if (first?.revision === undefined) throw new Error('The first release was never built');
      store.editApp(appId, { source: { ...source, ref: first.revision }, env: {} });
    },
  },
  {
    name: 'a crash while the next release is built',
    begin(world, appId) {
      world.store.editApp(appId, { source: { ...source, ref: 'next' } });
      for (const { address } of world.runningOf(appId)) world.crash(address.port);
    },
  },
  { name: 'deleting', begin: ({ store }, appId) => store.deleteApp(appId) },
];
