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

function liveOn(port: number): RouteState {
  return { kind: 'live', targets: [{ host: '127.0.0.1', port, state: 'ready' }] };
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

it('resets the idle time when the targets change, not when the same route is set again', async () => {
  const ownClock = createSimulatedClock();
  const table = createRouteTable({ clock: ownClock, upstreams });
  const app = table.set({ appId: 'one', hosts: ['a.localhost'], state: live });
  const first = ownClock.now();
  await ownClock.advance(1_000);
  table.set({ appId: 'one', hosts: ['a.localhost'], state: liveOn(4000) });
  expect(app?.lastActiveAt).toBe(first);
  table.set({ appId: 'one', hosts: ['a.localhost'], state: liveOn(4001) });
  expect(app?.lastActiveAt).toBe(ownClock.now());
});

it('does not list an app whose only host belongs to another app', () => {
  const table = createRouteTable({ clock, upstreams });
  table.set({ appId: 'one', hosts: ['shared.example'], state: live });
  expect(table.set({ appId: 'two', hosts: ['shared.example'], state: live })).toBeUndefined();
  expect([...table.apps()].map(({ id }) => id)).toEqual(['one']);
});
