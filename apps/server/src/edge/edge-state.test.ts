import type { AppRoute, EdgeCertificate, StateChange } from '@longshore/edge-contract';
import { expect, it } from 'vitest';
import { applyChange, emptyState, inBatches, wholeState } from './edge-state.ts';

const settings = { trustedProxies: [], appNetworks: [], proxyProtocol: false };
const certificate: EdgeCertificate = { id: 'c', names: ['a.test'], chain: 'chain', key: 'key' };

function route(appId: string, kind: 'starting' | 'failed' = 'starting'): AppRoute {
  return { appId, hosts: [`${appId}.test`], state: { kind } };
}

function stateAfter(...changes: StateChange[]) {
  const state = emptyState();
  for (const change of changes) applyChange(state, change);
  return state;
}

it.each<[string, StateChange, StateChange, StateChange | undefined]>([
  ['a new route', {}, { routes: [route('a')] }, { routes: [route('a')] }],
  ['a known route', { routes: [route('a')] }, { routes: [route('a')] }, undefined],
  [
    'a changed route beside a known one',
    { routes: [route('a'), route('b')] },
    { routes: [route('a', 'failed'), route('b')] },
    { routes: [route('a', 'failed')] },
  ],
  [
    'a route removed and added again',
    { routes: [route('a')] },
    { removedApps: ['a'], routes: [route('a')] },
    { removedApps: ['a'], routes: [route('a')] },
  ],
  ['a removal of an unknown app', {}, { removedApps: ['a'] }, { removedApps: ['a'] }],
  ['a new route for a known app', { routes: [route('a')] }, { newRoutes: [route('a')] }, undefined],
  ['a new route', {}, { newRoutes: [route('a')] }, { newRoutes: [route('a')] }],
  ['settings', {}, { settings }, { settings }],
  ['known settings', { settings }, { settings }, undefined],
  [
    'a known certificate',
    { certificates: [certificate] },
    { certificates: [certificate] },
    undefined,
  ],
  [
    'a renewed certificate',
    { certificates: [certificate] },
    { certificates: [{ ...certificate, chain: 'renewed' }] },
    { certificates: [{ ...certificate, chain: 'renewed' }] },
  ],
  [
    'a challenge beside a known one',
    { challenges: { known: '1' } },
    { challenges: { known: '1', other: '2' } },
    { challenges: { other: '2' } },
  ],
  ['a removed challenge', {}, { removedChallenges: ['t'] }, { removedChallenges: ['t'] }],
  ['nothing', {}, {}, undefined],
])('%s: the edge gets the difference', (_what, before, change, difference) => {
  expect(applyChange(stateAfter(before), change)).toEqual(difference);
});

it.each<[string, StateChange[], Partial<StateChange>]>([
  ['a route', [{ routes: [route('a')] }], { routes: [route('a')], newRoutes: [] }],
  ['no removed route', [{ routes: [route('a')] }, { removedApps: ['a'] }], { routes: [] }],
  [
    'no removed new route',
    [{ newRoutes: [route('a')] }, { removedApps: ['a'] }],
    { newRoutes: [] },
  ],
  [
    'no new route of an app that got its own',
    [{ newRoutes: [route('a')] }, { routes: [route('a', 'failed')] }],
    { routes: [route('a', 'failed')], newRoutes: [] },
  ],
  [
    'certificates and challenges',
    [{ certificates: [certificate], challenges: { token: 'response' } }],
    { certificates: [certificate], challenges: { token: 'response' } },
  ],
  [
    'no removed certificate or challenge',
    [
      { certificates: [certificate], challenges: { token: 'response' } },
      { removedCertificates: ['c'], removedChallenges: ['token'] },
    ],
    { certificates: [], challenges: {} },
  ],
  ['the settings', [{ settings }], { settings }],
])('the whole state has %s', (_what, changes, expected) => {
  expect(wholeState(stateAfter(...changes))).toMatchObject(expected);
});

it('keeps the order in which apps claimed their hosts when one changes', () => {
  const state = stateAfter(
    { routes: [route('a'), route('b')] },
    { routes: [route('a', 'failed')] },
  );
  expect(wholeState(state).routes?.map(({ appId }) => appId)).toEqual(['a', 'b']);
});

it('sends a small change as one batch and nothing as none', () => {
  const change: StateChange = { routes: [route('a')], removedApps: ['b'] };
  expect(inBatches(change)).toEqual([change]);
  expect(inBatches({})).toEqual([]);
});

it('splits 10,000 routes into batches that together are the same state', () => {
  const ids = Array.from({ length: 10_000 }, (_, index) => `app-${index}`);
  const change: StateChange = {
    settings,
    removedApps: ids.map((id) => `old-${id}`),
    routes: ids.map((id) => route(id)),
    certificates: ids.slice(0, 500).map((id) => ({ ...certificate, id })),
    challenges: Object.fromEntries(ids.slice(0, 500).map((id) => [id, id])),
    newRoutes: ids.map((id) => route(`new-${id}`)),
  };
  const batches = inBatches(change, 50_000);
  for (const batch of batches) expect(JSON.stringify(batch).length).toBeLessThan(65_000);
  expect(batches.length).toBeGreaterThan(10);
  expect(wholeState(stateAfter(...batches))).toEqual(wholeState(stateAfter(change)));
});

it('sends a part that is larger than a batch alone', () => {
  const large = { ...certificate, id: 'large', chain: 'x'.repeat(2000) };
  const batches = inBatches({ certificates: [certificate, large, certificate] }, 1000);
  expect(batches.map(({ certificates }) => certificates?.length)).toEqual([1, 1, 1]);
});
