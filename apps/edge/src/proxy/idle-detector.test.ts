import { createSimulatedClock } from '@longshore/testkit';
import { expect, it } from 'vitest';
import { createIdleDetector } from './idle-detector.ts';
import type { RoutedApp } from './route-table.ts';

type Route = Pick<RoutedApp, 'state' | 'sleepAfterMs'>;

const MINUTE = 60_000;
const live = (sleepAfterMs?: number): Route => ({
  state: { kind: 'live', targets: [] },
  sleepAfterMs,
});

function setUp(...routes: Route[]) {
  const clock = createSimulatedClock();
  const apps = routes.map((route, index): RoutedApp => {
    return {
      id: `app-${index + 1}`,
      ...route,
      policy: undefined,
      upstreams: [],
      instances: [],
      turn: 0,
      openRequests: 0,
      lastActiveAt: clock.now(),
    };
  });
  const idle: string[] = [];
  const detector = createIdleDetector({
    clock,
    apps: () => apps,
    onIdle: (id) => void idle.push(id),
  });
  for (const app of apps) detector.routeChanged(app);
  return { clock, apps, idle, detector };
}

function firstOf(apps: RoutedApp[]): RoutedApp {
  const [app] = apps;
  if (app === undefined) throw new Error('There is no app');
  return app;
}

it('reports an app after its idle time without requests, not earlier', async () => {
  const { clock, idle } = setUp(live(10 * MINUTE));
  await clock.advance(10 * MINUTE - 1);
  expect(idle).toEqual([]);
  await clock.advance(1);
  expect(idle).toEqual(['app-1']);
});

it('counts from the end of the last request', async () => {
  const { clock, apps, idle } = setUp(live(10 * MINUTE));
  await clock.advance(9 * MINUTE);
  firstOf(apps).lastActiveAt = clock.now();
  await clock.advance(9 * MINUTE);
  expect(idle).toEqual([]);
  await clock.advance(MINUTE);
  expect(idle).toEqual(['app-1']);
});

it('treats an app with an open websocket as active', async () => {
  const { clock, apps, idle } = setUp(live(10 * MINUTE));
  firstOf(apps).openRequests = 1;
  await clock.advance(300 * MINUTE);
  expect(idle).toEqual([]);
  firstOf(apps).openRequests = 0;
  firstOf(apps).lastActiveAt = clock.now();
  await clock.advance(20 * MINUTE);
  expect(idle).toContain('app-1');
});

it.each<[string, Route]>([
  ['has no idle time', live()],
  ['is hibernated', { ...live(1), state: { kind: 'hibernated', wakesOnRequest: true } }],
  ['is starting', { ...live(1), state: { kind: 'starting' } }],
  ['failed', { ...live(1), state: { kind: 'failed' } }],
])('has no timer for an app that %s', (_state, route) => {
  expect(setUp(route).clock.pending()).toBe(0);
});

it('uses one timer for all apps, and reports each at its own time', async () => {
  const { clock, idle } = setUp(live(30 * MINUTE), live(10 * MINUTE), live(20 * MINUTE));
  expect(clock.pending()).toBe(1);
  await clock.advance(10 * MINUTE);
  expect(idle).toEqual(['app-2']);
  expect(clock.pending()).toBe(1);
  await clock.advance(10 * MINUTE - 1);
  expect(idle).toEqual(['app-2']);
});

it('reports an app that stays live again after the same time', async () => {
  const { clock, idle } = setUp(live(10 * MINUTE));
  await clock.advance(20 * MINUTE - 1);
  expect(idle).toEqual(['app-1']);
  await clock.advance(1);
  expect(idle).toEqual(['app-1', 'app-1']);
});

it('leaves no timer after stop', () => {
  const { clock, apps, detector } = setUp(live(MINUTE));
  detector.stop();
  detector.routeChanged(firstOf(apps));
  expect(clock.pending()).toBe(0);
});
