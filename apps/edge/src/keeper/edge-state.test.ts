import type { AppRoute, EdgeState, StateChange } from '@longshore/edge-contract';
import { expect, it } from 'vitest';
import { createKeptState } from './edge-state.ts';

const settings = { trustedProxies: ['10.0.0.1'], appNetworks: [], proxyProtocol: true };
const certificate = { id: 'c', names: ['a.test'], chain: 'chain', key: 'key' };

function route(appId: string, kind: 'starting' | 'failed' = 'starting'): AppRoute {
  return { appId, hosts: [`${appId}.test`], state: { kind } };
}

function stateAfter(...changes: StateChange[]) {
  const state = createKeptState();
  for (const change of changes) state.apply(change);
  return state;
}

it.each<[string, StateChange[], Partial<EdgeState>]>([
  [
    'adds routes',
    [{ routes: [route('a')] }, { routes: [route('b')] }],
    { routes: [route('a'), route('b')] },
  ],
  [
    'replaces a route in its place',
    [{ routes: [route('a'), route('b')] }, { routes: [route('a', 'failed')] }],
    { routes: [route('a', 'failed'), route('b')] },
  ],
  [
    'removes first',
    [{ routes: [route('a')] }, { removedApps: ['a'], routes: [route('a', 'failed')] }],
    { routes: [route('a', 'failed')] },
  ],
  ['adds a new route of an unknown app', [{ newRoutes: [route('a')] }], { routes: [route('a')] }],
  [
    'keeps the route of a known app',
    [{ routes: [route('a', 'failed')] }, { newRoutes: [route('a')] }],
    { routes: [route('a', 'failed')] },
  ],
  ['takes settings', [{ settings }, {}], { settings }],
  [
    'removes certificates',
    [{ certificates: [certificate] }, { removedCertificates: ['c'] }],
    { certificates: [] },
  ],
  [
    'merges challenges',
    [{ challenges: { a: '1', b: '2' } }, { challenges: { b: '3' }, removedChallenges: ['a'] }],
    { challenges: { b: '3' } },
  ],
  [
    'keeps TCP routes by id',
    [
      { tcpRoutes: [{ id: 't', port: 1, targets: [] }] },
      { tcpRoutes: [{ id: 't', port: 2, targets: [] }] },
    ],
    { tcpRoutes: [{ id: 't', port: 2, targets: [] }] },
  ],
])('%s', (_what, changes, expected) => {
  expect(stateAfter(...changes).all()).toMatchObject(expected);
});

it('passes new routes on to workers only for apps that have none', () => {
  const state = stateAfter({ routes: [route('a')] });
  expect(state.apply({ newRoutes: [route('a'), route('b')], routes: [route('c')] })).toEqual({
    routes: [route('c'), route('b')],
  });
});

it('forgets at the end of a sync what was not named', () => {
  const state = stateAfter({
    routes: [route('a'), route('b'), route('c')],
    tcpRoutes: [{ id: 't', port: 1, targets: [] }],
    certificates: [certificate],
    challenges: { token: '1' },
  });
  state.beginSync();
  state.apply({ routes: [route('a')], newRoutes: [route('b')] });
  expect(state.endSync()).toEqual({
    removedApps: ['c'],
    removedTcpRoutes: ['t'],
    removedCertificates: ['c'],
    removedChallenges: ['token'],
  });
  expect(state.all()).toMatchObject({ routes: [route('a'), route('b')], certificates: [] });
});

it('forgets nothing without a begin, or when the sync was cancelled', () => {
  const state = stateAfter({ routes: [route('a')] });
  expect(state.endSync()).toBeUndefined();
  state.beginSync();
  state.cancelSync();
  expect(state.endSync()).toBeUndefined();
  expect(state.all().routes).toHaveLength(1);
});

it('starts with the state of a snapshot', () => {
  const all = stateAfter({ settings, routes: [route('a')], challenges: { t: '1' } }).all();
  expect(createKeptState(all).all()).toEqual(all);
});
