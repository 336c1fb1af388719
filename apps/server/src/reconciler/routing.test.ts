import type { Sleep } from '@longshore/contract';
import { expect, it } from 'vitest';
import { createMemoryRoutes } from '../../test/reconciler/memory-routes.ts';
import { appValues } from '../../test/values.ts';
import type { Release } from '../apps/releases.ts';
import type { Instance } from '../engines/engine.ts';
import { type DesiredApp, desiredApp } from './desired.ts';
import { runOf } from './plan-input.ts';
import { type AppRouting, createAppRouting, routeOf } from './routing.ts';
import type { Step } from './step.ts';

const running = desired(1);
const hibernated = desired(0);
const hibernatedBySleep = desired(0, { afterMinutes: 10 });
const release: Release = {
  number: 1,
  generation: 1,
  desiredHash: running.desiredHash,
  values: running.values,
  revision: 'c0ffee',
  inputs: undefined,
  from: undefined,
  outcome: undefined,
  reason: undefined,
  evidence: [],
  detected: {},
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

const WORKER = { name: 'worker', command: 'node worker.js', replicas: 1, resourceTier: 't1' };

const STEPS: Record<Step['kind'], { step: Step; withoutInstance: 'starting' | 'failed' }> = {
  remove: { step: { kind: 'remove' }, withoutInstance: 'starting' },
  stop: {
    step: { kind: 'stop', instances: [instance], progress: 'stopping' },
    withoutInstance: 'starting',
  },
  release: { step: { kind: 'release', from: undefined }, withoutInstance: 'starting' },
  build: { step: { kind: 'build', release, role: 'newest' }, withoutInstance: 'starting' },
  reuse: { step: { kind: 'reuse', release, from: 0 }, withoutInstance: 'starting' },
  command: { step: { kind: 'command', release }, withoutInstance: 'starting' },
  start: {
    step: { kind: 'start', release, role: 'newest', count: 1, othersServe: false },
    withoutInstance: 'starting',
  },
  check: {
    step: { kind: 'check', instances: [instance], release, role: 'newest', traffic: 'switch' },
    withoutInstance: 'starting',
  },
  protect: {
    step: { kind: 'protect', instances: [instance] },
    withoutInstance: 'starting',
  },
  checking: { step: { kind: 'checking' }, withoutInstance: 'starting' },
  'roll-back': {
    step: { kind: 'roll-back', release, to: 1, problem: 'status 500' },
    withoutInstance: 'starting',
  },
  prune: { step: { kind: 'prune', keep: [1] }, withoutInstance: 'starting' },
  settled: { step: { kind: 'settled' }, withoutInstance: 'starting' },
  crashed: {
    step: { kind: 'crashed', instance, release, role: 'newest', othersServe: false },
    withoutInstance: 'failed',
  },
  'process-start': {
    step: { kind: 'process-start', release, role: 'newest', type: WORKER, count: 1 },
    withoutInstance: 'failed',
  },
  'process-confirm': {
    step: { kind: 'process-confirm', instances: [instance], release, role: 'newest', type: WORKER },
    withoutInstance: 'failed',
  },
  'process-crashed': {
    step: { kind: 'process-crashed', instance, role: 'newest', type: WORKER },
    withoutInstance: 'failed',
  },
  failed: { step: { kind: 'failed', release, until: undefined }, withoutInstance: 'failed' },
  cancelled: { step: { kind: 'cancelled' }, withoutInstance: 'failed' },
  wait: { step: { kind: 'wait', until: 1 }, withoutInstance: 'failed' },
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
      routedDomains: [],
      isRetryRequested: false,
      values,
    },
    'localhost',
  );
}

it.each(Object.values(STEPS))(
  'has the right route before the step $step.kind',
  ({ step, withoutInstance }) => {
    expect(routeOf(running, [instance], step)).toEqual(live);
    expect(routeOf(running, [], step)).toEqual({ kind: withoutInstance });
    expect(routeOf(hibernated, [instance], step)).toEqual({
      kind: 'hibernated',
      wakesOnRequest: false,
    });
    expect(routeOf(hibernated, [], step)).toEqual({
      kind: 'hibernated',
      wakesOnRequest: false,
    });
  },
);

it('lets a request wake an app with the sleep setting once its instance has stopped', () => {
  const { stop, settled, wait } = STEPS;
  expect(routeOf(hibernatedBySleep, [instance], stop.step)).toEqual({ kind: 'starting' });
  expect(routeOf(hibernatedBySleep, [], settled.step)).toEqual({
    kind: 'hibernated',
    wakesOnRequest: true,
  });
  expect(routeOf(hibernatedBySleep, [], wait.step)).toEqual({
    kind: 'hibernated',
    wakesOnRequest: true,
  });
});

it('includes the policy of the edge, whatever the app does', () => {
  const policy = { maintenance: true };
  const { settled, failed } = STEPS;
  expect(routeOf({ ...running, policy }, [instance], settled.step)).toEqual({ ...live, policy });
  expect(routeOf({ ...running, policy }, [], failed.step)).toEqual({
    kind: 'failed',
    policy,
  });
  expect(routeOf({ ...hibernated, policy }, [], settled.step)).toEqual({
    kind: 'hibernated',
    wakesOnRequest: false,
    policy,
  });
});

it('includes the time without traffic after which the app sleeps', () => {
  const route = routeOf(desired(1, { afterMinutes: 10 }), [instance], STEPS.settled.step);
  expect(route).toEqual({ ...live, sleepAfterMs: 600_000 });
});

const other = { ...instance, id: '2', address: { host: '127.0.0.1', port: 2 } };
const observed = (...instances: Instance[]) => ({ built: [], instances });

/** With the rotation as it is now. */
function update(routing: AppRouting, app: DesiredApp, instances: Instance[], step: Step): void {
  const seen = { desired: app, observed: observed(...instances), checking: new Set<string>() };
  const input = { ...routing.rotationOf('app'), ...seen };
  routing.update(input, step);
}

function servingIds(routing: AppRouting): string[] {
  return [...routing.rotationOf('app').rotation].map((run) => run.split('@')[0] ?? '');
}

it('keeps the serving instance until an update without an instance', () => {
  const routes = createMemoryRoutes();
  const routing = createAppRouting(routes);
  expect(servingIds(routing)).toEqual([]);
  routing.switchTo(running, [instance]);
  update(routing, running, [instance], STEPS.build.step);
  expect(servingIds(routing)).toEqual(['1']);
  expect(routes.of('app')).toEqual({ hosts: running.hosts, route: live });
  update(routing, running, [], STEPS.crashed.step);
  expect(servingIds(routing)).toEqual([]);
  expect(routes.of('app')?.route).toEqual({ kind: 'failed' });
});

it('adds and removes instances while others serve', () => {
  const routes = createMemoryRoutes();
  const routing = createAppRouting(routes);
  const targetsOf = () => {
    const route = routes.of('app')?.route;
    return route?.kind === 'live' ? route.targets : [];
  };
  routing.switchTo(running, [other]);
  routing.join(running, [{ ...instance, release: 7 }]);
  expect(targetsOf()).toEqual([other.address]);
  routing.join(running, [instance]);
  expect(targetsOf()).toEqual([instance.address, other.address]);
  routing.leave(running, [runOf(other)], STEPS.stop.step);
  expect(targetsOf()).toEqual([instance.address]);
  routing.leave(running, [runOf(other)], STEPS.stop.step);
  routing.leave(running, [runOf(instance)], STEPS.stop.step);
  expect(routes.of('app')?.route).toEqual({ kind: 'starting' });
});

it('names instances to the edge for sticky sessions only', () => {
  const policy = { stickySessions: true };
  const { settled } = STEPS;
  expect(routeOf({ ...running, policy }, [other, instance], settled.step)).toMatchObject({
    targets: [
      { ...instance.address, instance: '1' },
      { ...other.address, instance: '2' },
    ],
  });
});

it('takes an instance that was restarted by its engine out of the rotation', () => {
  const routing = createAppRouting(createMemoryRoutes());
  routing.switchTo(running, [instance]);
  const restarted = { ...instance, startedAt: new Date(1) };
  update(routing, running, [restarted], STEPS.settled.step);
  expect(servingIds(routing)).toEqual([]);
});

it('remembers which instances have served until they are gone', () => {
  const routing = createAppRouting(createMemoryRoutes());
  const exit = { code: 1, signal: undefined, at: new Date(0) };
  const ended: Instance = { ...other, state: { kind: 'exited', exit } };
  routing.switchTo(running, [instance, other]);
  update(routing, running, [instance, ended], STEPS.crashed.step);
  expect(routing.rotationOf('app').answered).toEqual(new Set([runOf(instance), runOf(other)]));
  expect(servingIds(routing)).toEqual(['1']);
  update(routing, running, [instance], STEPS.settled.step);
  expect(routing.rotationOf('app').answered).toEqual(new Set([runOf(instance)]));
});

it('leaves the route of an instance that served before while it is checked again', () => {
  const routes = createMemoryRoutes();
  const step: Step = {
    kind: 'check',
    instances: [instance],
    release: { ...release, outcome: 'live' },
    role: 'newest',
    traffic: 'adopt',
  };
  update(createAppRouting(routes), running, [], step);
  expect(routes.of('app')?.route).toEqual({ kind: 'starting' });
  createAppRouting(routes).switchTo(running, [instance]);
  const nextServer = createAppRouting(routes);
  nextServer.addPending(running);
  update(nextServer, running, [], step);
  expect(routes.of('app')?.route).toEqual(live);
  nextServer.switchTo(running, [instance]);
  update(nextServer, running, [], step);
  expect(routes.of('app')?.route).toEqual({ kind: 'starting' });
});

it('lets no request wake an app while its instances stop, also if one was being checked', () => {
  const routes = createMemoryRoutes();
  const routing = createAppRouting(routes);
  const checking = new Set([runOf(instance)]);
  const seen = { observed: observed(instance), ...routing.rotationOf('app'), checking };
  routing.update({ desired: hibernatedBySleep, ...seen }, STEPS.stop.step);
  expect(routes.of('app')?.route).toEqual({ kind: 'starting' });
});

it('has no serving instance for a hibernated app', () => {
  const routing = createAppRouting(createMemoryRoutes());
  routing.switchTo(running, [instance]);
  update(routing, hibernated, [instance], STEPS.stop.step);
  expect(servingIds(routing)).toEqual([]);
});

it('removes an app with its route', () => {
  const routes = createMemoryRoutes();
  const routing = createAppRouting(routes);
  routing.switchTo(running, [instance]);
  routing.remove('app');
  expect(servingIds(routing)).toEqual([]);
  expect(routes.appIds()).toEqual([]);
});
