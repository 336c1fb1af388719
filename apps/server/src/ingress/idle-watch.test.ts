import { createSimulatedClock } from '@longshore/testkit';
import { expect, it } from 'vitest';
import { createIdleWatch } from './idle-watch.ts';
import type { Route, RoutedApp } from './route-table.ts';

const MINUTE = 60_000;
const live = (sleepAfterMs?: number): Route => ({ kind: 'live', targets: [], sleepAfterMs });

function setUp(...routes: Route[]) {
  const clock = createSimulatedClock();
  const apps = routes.map((route, index): RoutedApp => {
    return { id: `app-${index + 1}`, route, openVisits: 0, lastVisitAt: clock.now() };
  });
  const idle: string[] = [];
  const watch = createIdleWatch({ clock, apps: () => apps, idle: (id) => void idle.push(id) });
  for (const app of apps) watch.look(app);
  return { clock, apps, idle, watch };
}

function only(apps: RoutedApp[]): RoutedApp {
  const [app] = apps;
  if (app === undefined) throw new Error('There is no app');
  return app;
}

it('tells of an app that nobody visited for as long as it allows, not earlier', async () => {
  const { clock, idle } = setUp(live(10 * MINUTE));
  await clock.advance(10 * MINUTE - 1);
  expect(idle).toEqual([]);
  await clock.advance(1);
  expect(idle).toEqual(['app-1']);
});

it('counts from the end of the last visit', async () => {
  const { clock, apps, idle } = setUp(live(10 * MINUTE));
  await clock.advance(9 * MINUTE);
  only(apps).lastVisitAt = clock.now();
  await clock.advance(9 * MINUTE);
  expect(idle).toEqual([]);
  await clock.advance(MINUTE);
  expect(idle).toEqual(['app-1']);
});

it('takes an open websocket for a visit, however silent it is', async () => {
  const { clock, apps, idle } = setUp(live(10 * MINUTE));
  only(apps).openVisits = 1;
  await clock.advance(300 * MINUTE);
  expect(idle).toEqual([]);
  only(apps).openVisits = 0;
  only(apps).lastVisitAt = clock.now();
  await clock.advance(20 * MINUTE);
  expect(idle).toContain('app-1');
});

it.each<[string, Route]>([
  ['never sleeps', live()],
  ['sleeps already', { kind: 'hibernated', wakes: true }],
  ['starts', { kind: 'starting' }],
  ['does not run', { kind: 'failed' }],
])('has no timer for an app that %s', (_what, route) => {
  expect(setUp(route).clock.pending()).toBe(0);
});

it('has one timer for all apps, and tells of each in its time', async () => {
  const { clock, idle } = setUp(live(30 * MINUTE), live(10 * MINUTE), live(20 * MINUTE));
  expect(clock.pending()).toBe(1);
  await clock.advance(10 * MINUTE);
  expect(idle).toEqual(['app-2']);
  expect(clock.pending()).toBe(1);
  await clock.advance(10 * MINUTE - 1);
  expect(idle).toEqual(['app-2']);
});

it('tells again, as much later, of an app that did not sleep', async () => {
  const { clock, idle } = setUp(live(10 * MINUTE));
  await clock.advance(20 * MINUTE - 1);
  expect(idle).toEqual(['app-1']);
  await clock.advance(1);
  expect(idle).toEqual(['app-1', 'app-1']);
});

it('leaves no timer behind', () => {
  const { clock, apps, watch } = setUp(live(MINUTE));
  watch.stop();
  watch.look(only(apps));
  expect(clock.pending()).toBe(0);
});
