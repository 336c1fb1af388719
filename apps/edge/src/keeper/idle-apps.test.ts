import type { AppRoute } from '@longshore/edge-contract';
import { createSimulatedClock } from '@longshore/testkit';
import { expect, it } from 'vitest';
import { createIdleApps } from './idle-apps.ts';

const MINUTE = 60_000;

function sleepy(appId: string, sleepAfterMs?: number): AppRoute {
  return { appId, hosts: [], state: { kind: 'live', targets: [] }, sleepAfterMs };
}

function openIdleApps() {
  const clock = createSimulatedClock();
  const lastTraffic = new Map<string, number>();
  const idle: string[] = [];
  let questions = 0;
  const apps = createIdleApps({
    clock,
    async quietMs() {
      questions += 1;
      return Object.fromEntries([...lastTraffic].map(([id, at]) => [id, clock.now() - at]));
    },
    onIdle: (appId) => void idle.push(appId),
  });
  return {
    ...{ apps, clock, idle },
    visit: (appId: string) => void lastTraffic.set(appId, clock.now()),
    forgetTraffic: () => lastTraffic.clear(),
    questions: () => questions,
  };
}

it('reports an app after its time without traffic, and not before', async () => {
  const { apps, clock, idle } = openIdleApps();
  apps.routeChanged(sleepy('a', 10 * MINUTE));
  await clock.advance(10 * MINUTE - 1);
  expect(idle).toEqual([]);
  await clock.advance(1);
  expect(idle).toEqual(['a']);
});

it('counts from the last traffic in any worker', async () => {
  const { apps, clock, idle, visit } = openIdleApps();
  apps.routeChanged(sleepy('a', 10 * MINUTE));
  await clock.advance(4 * MINUTE);
  visit('a');
  await clock.advance(9 * MINUTE);
  expect(idle).toEqual([]);
  await clock.advance(MINUTE);
  expect(idle).toEqual(['a']);
});

it('reports whether an app is idle on request', async () => {
  const { apps, clock, idle, visit } = openIdleApps();
  apps.routeChanged(sleepy('a', 10 * MINUTE));
  await clock.advance(10 * MINUTE);
  visit('a');
  await apps.ask('a');
  await apps.ask('unknown');
  expect(idle).toEqual(['a']);
  await clock.advance(10 * MINUTE - 1);
  await apps.ask('a');
  expect(idle).toEqual(['a']);
  await clock.advance(1);
  await apps.ask('a');
  expect(idle).toEqual(['a', 'a', 'a']);
});

it('asks workers only when an app is due', async () => {
  const { apps, clock, questions } = openIdleApps();
  apps.routeChanged(sleepy('a', 60 * MINUTE));
  await clock.advance(59 * MINUTE);
  expect(questions()).toBe(0);
  expect(clock.pending()).toBe(1);
});

it('has no timer for apps that never sleep', () => {
  const { apps, clock } = openIdleApps();
  apps.routeChanged(sleepy('a'));
  apps.routeChanged({ ...sleepy('b', MINUTE), state: { kind: 'starting' } });
  expect(clock.pending()).toBe(0);
});

it('reports again while the app stays live, because the server may have been away', async () => {
  const { apps, clock, idle } = openIdleApps();
  apps.routeChanged(sleepy('a', MINUTE));
  await clock.advance(2 * MINUTE);
  expect(idle).toEqual(['a', 'a']);
});

it('does not count from the start again when the same route is sent again', async () => {
  const { apps, clock, idle } = openIdleApps();
  apps.routeChanged(sleepy('a', 2 * MINUTE));
  await clock.advance(MINUTE);
  apps.routeChanged(sleepy('a', 2 * MINUTE));
  await clock.advance(MINUTE);
  expect(idle).toEqual(['a']);
});

it('follows a changed time', async () => {
  const { apps, clock, idle } = openIdleApps();
  apps.routeChanged(sleepy('a', 60 * MINUTE));
  apps.routeChanged(sleepy('a', MINUTE));
  await clock.advance(MINUTE);
  expect(idle).toEqual(['a']);
});

it.each<[string, (apps: ReturnType<typeof createIdleApps>) => void]>([
  ['removed', (apps) => apps.removed('a')],
  [
    'hibernated',
    (apps) => apps.routeChanged({ ...sleepy('a', MINUTE), state: { kind: 'failed' } }),
  ],
])('does not report an app that is %s', async (_what, change) => {
  const { apps, clock, idle } = openIdleApps();
  apps.routeChanged(sleepy('a', MINUTE));
  change(apps);
  await clock.advance(5 * MINUTE);
  expect(idle).toEqual([]);
});

it('remembers what a worker that ended knew', async () => {
  const { apps, clock, idle, forgetTraffic, visit } = openIdleApps();
  apps.routeChanged(sleepy('a', 10 * MINUTE));
  await clock.advance(5 * MINUTE);
  visit('a');
  await clock.advance(MINUTE);
  apps.workerEnded({ a: MINUTE, unknown: 1 });
  forgetTraffic();
  await clock.advance(8 * MINUTE);
  expect(idle).toEqual([]);
  await clock.advance(MINUTE);
  expect(idle).toEqual(['a']);
});

it('waits the whole time after a worker crashed', async () => {
  const { apps, clock, idle } = openIdleApps();
  apps.routeChanged(sleepy('a', 10 * MINUTE));
  await clock.advance(9 * MINUTE);
  apps.activityLost();
  await clock.advance(9 * MINUTE);
  expect(idle).toEqual([]);
  await clock.advance(MINUTE);
  expect(idle).toEqual(['a']);
});
