import { expect, it } from 'vitest';
import { createRouteTable, type Route } from './route-table.ts';

const live: Route = { kind: 'live', targets: [{ host: '127.0.0.1', port: 4000 }] };
const starting: Route = { kind: 'starting' };

it('finds an app by any spelling of its host', () => {
  const table = createRouteTable();
  table.set('one', ['App.localhost'], live);
  expect(table.lookup('app.LOCALHOST.:8080')).toBe(live);
});

it('replaces all hosts of an app at once', () => {
  const table = createRouteTable();
  table.set('one', ['a.localhost', 'b.localhost'], starting);
  table.set('one', ['b.localhost', 'c.localhost'], live);
  expect(table.lookup('a.localhost')).toBeUndefined();
  expect(table.lookup('b.localhost')).toBe(live);
  expect(table.lookup('c.localhost')).toBe(live);
});

it('forgets a removed app and keeps the others', () => {
  const table = createRouteTable();
  table.set('one', ['a.localhost'], live);
  table.set('two', ['b.localhost'], live);
  table.remove('one');
  expect(table.lookup('a.localhost')).toBeUndefined();
  expect(table.lookup('b.localhost')).toBe(live);
});

it('leaves a host with the app that claimed it first, until that app gives it up', () => {
  const table = createRouteTable();
  table.set('one', ['shared.example'], live);
  table.set('two', ['shared.example'], starting);
  expect(table.lookup('shared.example')).toBe(live);
  table.remove('two');
  expect(table.lookup('shared.example')).toBe(live);
  table.remove('one');
  table.set('two', ['shared.example'], starting);
  expect(table.lookup('shared.example')).toBe(starting);
});

it('has no route for what is no host', () => {
  const table = createRouteTable();
  table.set('one', ['not a host'], live);
  expect(table.lookup('not a host')).toBeUndefined();
  expect(table.lookup('')).toBeUndefined();
});
