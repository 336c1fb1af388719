import { createSimulatedClock } from '@longshore/testkit';
import { expect, it } from 'vitest';
import { createRouteTable, type Route } from './route-table.ts';

const live = { kind: 'live', targets: [{ host: '127.0.0.1', port: 4000 }] } satisfies Route;
const clock = createSimulatedClock();
const starting: Route = { kind: 'starting' };

it('finds an app by any spelling of its host', () => {
  const table = createRouteTable({ clock });
  table.set('one', ['App.localhost'], live);
  expect(table.lookup('app.LOCALHOST.:8080')?.route).toBe(live);
});

it('replaces all hosts of an app at once', () => {
  const table = createRouteTable({ clock });
  table.set('one', ['a.localhost', 'b.localhost'], starting);
  table.set('one', ['b.localhost', 'c.localhost'], live);
  expect(table.lookup('a.localhost')).toBeUndefined();
  expect(table.lookup('b.localhost')?.route).toBe(live);
  expect(table.lookup('c.localhost')?.route).toBe(live);
});

it('forgets a removed app and keeps the others', () => {
  const table = createRouteTable({ clock });
  table.set('one', ['a.localhost'], live);
  table.set('two', ['b.localhost'], live);
  table.remove('one');
  expect(table.lookup('a.localhost')).toBeUndefined();
  expect(table.lookup('b.localhost')?.route).toBe(live);
});

it('leaves a host with the app that claimed it first, until that app releases it', () => {
  const table = createRouteTable({ clock });
  table.set('one', ['shared.example'], live);
  table.set('two', ['shared.example'], starting);
  expect(table.lookup('shared.example')?.route).toBe(live);
  table.remove('two');
  expect(table.lookup('shared.example')?.route).toBe(live);
  table.set('two', ['shared.example'], starting);
  table.remove('one');
  expect(table.lookup('shared.example')?.route).toBe(starting);
});

it('has no route for an invalid host', () => {
  const table = createRouteTable({ clock });
  table.set('one', ['not a host'], live);
  expect(table.lookup('not a host')).toBeUndefined();
  expect(table.lookup('')).toBeUndefined();
});

it('resets the idle time when the targets change, not when the same route is set again', async () => {
  const ownClock = createSimulatedClock();
  const table = createRouteTable({ clock: ownClock });
  const app = table.set('one', ['a.localhost'], live);
  const first = ownClock.now();
  await ownClock.advance(1_000);
  table.set('one', ['a.localhost'], { ...live, targets: [{ host: '127.0.0.1', port: 4000 }] });
  expect(app?.lastActiveAt).toBe(first);
  table.set('one', ['a.localhost'], { ...live, targets: [{ host: '127.0.0.1', port: 4001 }] });
  expect(app?.lastActiveAt).toBe(ownClock.now());
});

it('does not list an app whose only host belongs to another app', () => {
  const table = createRouteTable({ clock });
  table.set('one', ['shared.example'], live);
  expect(table.set('two', ['shared.example'], live)).toBeUndefined();
  expect([...table.apps()].map(({ id }) => id)).toEqual(['one']);
});
