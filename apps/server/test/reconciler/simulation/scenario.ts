import { buildAppValues } from '@longshore/testkit';
import type { Environment } from './environment.ts';

const { source } = buildAppValues();
/** The build has begun, and has not ended. */
const CANCELLED_AFTER_MS = 1_000;

/** A change of an app. The server may be killed while it reconciles it. */
export type Stage = { name: string; apply(environment: Environment, appId: string): void };

/** Every kind of change to one app, one after the other. */
export const SCENARIO: Stage[] = [
  { name: 'the first deployment', apply() {} },
  {
    name: 'an edit',
    apply: ({ store }, appId) => store.editApp(appId, { env: { COLOUR: 'blue' } }),
  },
  {
    name: 'a rename',
    apply: ({ store }, appId) => store.editApp(appId, { name: 'harbour' }),
  },
  {
    name: 'a crash',
    apply(environment, appId) {
      for (const { address } of environment.runningOf(appId)) environment.crash(address.port);
    },
  },
  { name: 'hibernating', apply: ({ store }, appId) => store.editApp(appId, { instances: 0 }) },
  { name: 'waking', apply: ({ store }, appId) => store.editApp(appId, { instances: 1 }) },
  {
    name: 'an edit that fails to build',
    apply: ({ store }, appId) => store.editApp(appId, { source: { ...source, ref: 'broken' } }),
  },
  {
    name: 'an edit after which the app never answers',
    apply: ({ store }, appId) => store.editApp(appId, { source: { ...source, ref: 'silent' } }),
  },
  {
    name: 'a rollback',
    apply({ store }, appId) {
      const [first] = store.releasesOf(appId);
      if (first?.revision === undefined) throw new Error('The first release was never built');
      store.editApp(appId, { source: { ...source, ref: first.revision }, env: {} });
    },
  },
  {
    name: 'a crash while the next release is built',
    apply(environment, appId) {
      environment.store.editApp(appId, { source: { ...source, ref: 'next' } });
      for (const { address } of environment.runningOf(appId)) environment.crash(address.port);
    },
  },
  {
    name: 'a cancelled build',
    apply({ store, clock }, appId) {
      store.editApp(appId, { env: { COLOUR: 'green' } });
      clock.setTimeout(() => store.cancelBuild(appId), CANCELLED_AFTER_MS);
    },
  },
  {
    name: 'scaling to three instances',
    apply: ({ store }, appId) => store.editApp(appId, { replicas: 3 }),
  },
  {
    name: 'a crash of one of three instances',
    apply(environment, appId) {
      const [instance] = environment.runningOf(appId);
      if (instance !== undefined) environment.crash(instance.address.port);
    },
  },
  {
    name: 'an edit of an app with three instances',
    apply: ({ store }, appId) => store.editApp(appId, { env: { COLOUR: 'grey' } }),
  },
  {
    name: 'scaling to two instances',
    apply: ({ store }, appId) => store.editApp(appId, { replicas: 2 }),
  },
  { name: 'deleting', apply: ({ store }, appId) => store.deleteApp(appId) },
];
