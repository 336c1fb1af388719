import type { Sleep } from '@longshore/contract';
import { expect, it } from 'vitest';
import { createMemoryRoutes } from '../../test/reconciler/memory-routes.ts';
import { appValues } from '../../test/values.ts';
import type { Release } from '../apps/releases.ts';
import type { Instance } from '../engines/engine.ts';
import { type DesiredApp, desiredApp } from './desired.ts';
import type { Step } from './step.ts';
import { createTraffic, routeOf } from './traffic.ts';

const awake = desired(1);
const asleep = desired(0);
const dozing = desired(0, { afterMinutes: 10 });
const release: Release = {
  number: 1,
  generation: 1,
  desiredHash: awake.desiredHash,
  values: awake.values,
  revision: 'c0ffee',
  from: undefined,
  outcome: undefined,
  reason: undefined,
  evidence: [],
};
const instance: Instance = {
  id: '1',
  release: 1,
  logName: 'app-1',
  address: { host: '127.0.0.1', port: 30_001 },
  startedAt: new Date(0),
  state: { kind: 'running' },
};
const live = { kind: 'live', targets: [instance.address] };

const STEPS: Record<Step['kind'], { step: Step; unserved: 'starting' | 'failed' }> = {
  remove: { step: { kind: 'remove' }, unserved: 'starting' },
  stop: { step: { kind: 'stop', instances: [instance] }, unserved: 'starting' },
  release: { step: { kind: 'release', from: undefined }, unserved: 'starting' },
  build: { step: { kind: 'build', release }, unserved: 'starting' },
  reuse: { step: { kind: 'reuse', release, from: 0 }, unserved: 'starting' },
  start: { step: { kind: 'start', release, role: 'newest' }, unserved: 'starting' },
  check: {
    step: { kind: 'check', instance, release, role: 'newest' },
    unserved: 'starting',
  },
  prune: { step: { kind: 'prune', keep: [1] }, unserved: 'starting' },
  settled: { step: { kind: 'settled' }, unserved: 'starting' },
  crashed: { step: { kind: 'crashed', instance, release, role: 'newest' }, unserved: 'failed' },
  failed: { step: { kind: 'failed', release, until: undefined }, unserved: 'failed' },
  wait: { step: { kind: 'wait', until: 1 }, unserved: 'failed' },
};

function desired(instances: number, sleep?: Sleep): DesiredApp {
  const values = { ...appValues('project'), instances, ...(sleep && { sleep }) };
  return desiredApp(
    {
      id: 'app',
      ownerId: 'ada',
      generation: 1,
      redeploys: 0,
      deleted: false,
      isDomainLost: false,
      values,
    },
    'localhost',
  );
}

it.each(Object.values(STEPS))(
  'shows a visitor what is so before $step.kind',
  ({ step, unserved }) => {
    expect(routeOf(awake, instance, step)).toEqual(live);
    expect(routeOf(awake, undefined, step)).toEqual({ kind: unserved });
    expect(routeOf(asleep, instance, step)).toEqual({ kind: 'hibernated', wakesOnRequest: false });
    expect(routeOf(asleep, undefined, step)).toEqual({ kind: 'hibernated', wakesOnRequest: false });
  },
);

it('lets a visitor wake an app whose owner allows it, once nothing of it runs any more', () => {
  const { stop, settled, wait } = STEPS;
  expect(routeOf(dozing, instance, stop.step)).toEqual({ kind: 'starting' });
  expect(routeOf(dozing, undefined, settled.step)).toEqual({
    kind: 'hibernated',
    wakesOnRequest: true,
  });
  expect(routeOf(dozing, undefined, wait.step)).toEqual({
    kind: 'hibernated',
    wakesOnRequest: true,
  });
});

it('tells how long an app goes on without a visitor', () => {
  const route = routeOf(desired(1, { afterMinutes: 10 }), instance, STEPS.settled.step);
  expect(route).toEqual({ ...live, sleepAfterMs: 600_000 });
});

it('remembers who serves until it is shown that nobody does', () => {
  const routes = createMemoryRoutes();
  const traffic = createTraffic(routes);
  expect(traffic.serving('app')).toBeUndefined();
  traffic.serve(awake, instance);
  traffic.show(awake, instance, STEPS.build.step);
  expect(traffic.serving('app')).toBe('1');
  expect(routes.of('app')).toEqual({ hosts: awake.hosts, route: live });
  traffic.show(awake, undefined, STEPS.crashed.step);
  expect(traffic.serving('app')).toBeUndefined();
  expect(routes.of('app')?.route).toEqual({ kind: 'failed' });
});

it('lets nobody serve an app that sleeps', () => {
  const traffic = createTraffic(createMemoryRoutes());
  traffic.serve(awake, instance);
  traffic.show(asleep, instance, STEPS.stop.step);
  expect(traffic.serving('app')).toBeUndefined();
});

it('forgets an app with its routes', () => {
  const routes = createMemoryRoutes();
  const traffic = createTraffic(routes);
  traffic.serve(awake, instance);
  traffic.remove('app');
  expect(traffic.serving('app')).toBeUndefined();
  expect(routes.appIds()).toEqual([]);
});
