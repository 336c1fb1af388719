import type { RouteState } from '@longshore/edge-contract';
import { createSimulatedClock } from '@longshore/testkit';
import { expect, it } from 'vitest';
import { createBodyBuffers } from './body-buffers.ts';
import { createRouteTable } from './route-table.ts';
import { createUpstreams } from './upstream.ts';

const clock = createSimulatedClock();
const upstreams = createUpstreams({ clock, buffers: createBodyBuffers(), idleMs: 1_000 });
const live = liveOn(4000);
const starting: RouteState = { kind: 'starting' };

function liveOn(...ports: number[]): RouteState {
  const targets = ports.map((port) => ({ host: '127.0.0.1', port, state: 'ready' as const }));
  return { kind: 'live', targets };
}

it('finds an app by any spelling of its host', () => {
  const table = createRouteTable({ clock, upstreams });
  table.set({ appId: 'one', hosts: ['App.localhost'], state: live });
  expect(table.lookup('app.LOCALHOST.:8080')?.state).toBe(live);
});

it('replaces all hosts of an app at once', () => {
  const table = createRouteTable({ clock, upstreams });
  table.set({ appId: 'one', hosts: ['a.localhost', 'b.localhost'], state: starting });
  table.set({ appId: 'one', hosts: ['b.localhost', 'c.localhost'], state: live });
  expect(table.lookup('a.localhost')).toBeUndefined();
  expect(table.lookup('b.localhost')?.state).toBe(live);
  expect(table.lookup('c.localhost')?.state).toBe(live);
});

it('forgets a removed app and keeps the others', () => {
  const table = createRouteTable({ clock, upstreams });
  table.set({ appId: 'one', hosts: ['a.localhost'], state: live });
  table.set({ appId: 'two', hosts: ['b.localhost'], state: live });
  table.remove('one');
  expect(table.lookup('a.localhost')).toBeUndefined();
  expect(table.lookup('b.localhost')?.state).toBe(live);
});

it('leaves a host with the app that claimed it first, until that app releases it', () => {
  const table = createRouteTable({ clock, upstreams });
  table.set({ appId: 'one', hosts: ['shared.example'], state: live });
  table.set({ appId: 'two', hosts: ['shared.example'], state: starting });
  expect(table.lookup('shared.example')?.state).toBe(live);
  table.remove('two');
  expect(table.lookup('shared.example')?.state).toBe(live);
  table.set({ appId: 'two', hosts: ['shared.example'], state: starting });
  table.remove('one');
  expect(table.lookup('shared.example')?.state).toBe(starting);
});

it('has no route for an invalid host', () => {
  const table = createRouteTable({ clock, upstreams });
  table.set({ appId: 'one', hosts: ['not a host'], state: live });
  expect(table.lookup('not a host')).toBeUndefined();
  expect(table.lookup('')).toBeUndefined();
});

it.each<[what: string, before: RouteState, after: RouteState, isReset: boolean]>([
  ['is set again', liveOn(1), liveOn(1), false],
  ['gets one more instance', liveOn(1), liveOn(1, 2), false],
  ['loses an instance', liveOn(1, 2), liveOn(2), false],
  ['gets another instance for one of several', liveOn(1, 2), liveOn(2, 3), false],
  ['gets a new release', liveOn(1, 2), liveOn(3, 4), true],
  ['wakes', starting, liveOn(1), true],
])(
  'knows whether the idle time starts again when a route %s',
  async (_, before, after, isReset) => {
    const ownClock = createSimulatedClock();
    const table = createRouteTable({ clock: ownClock, upstreams });
    const app = table.set({ appId: 'one', hosts: ['a.localhost'], state: before });
    const first = ownClock.now();
    await ownClock.advance(1_000);
    table.set({ appId: 'one', hosts: ['a.localhost'], state: after });
    expect(app?.lastActiveAt).toBe(isReset ? ownClock.now() : first);
  },
);

it('does not list an app whose only host belongs to another app', () => {
  const table = createRouteTable({ clock, upstreams });
  table.set({ appId: 'one', hosts: ['shared.example'], state: live });
  expect(table.set({ appId: 'two', hosts: ['shared.example'], state: live })).toBeUndefined();
  expect([...table.apps()].map(({ id }) => id)).toEqual(['one']);
});
