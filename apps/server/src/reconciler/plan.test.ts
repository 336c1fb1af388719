import { describe, expect, it } from 'vitest';
import type { Instance } from '../engines/engine.ts';
import type { DesiredApp } from './desired.ts';
import { nextStep, type Situation } from './plan.ts';
import type { Release } from './release.ts';

const NOW = 1_000_000;

const desired: DesiredApp = {
  id: 'app',
  generation: 3,
  isDeleted: false,
  instances: 1,
  wish: 'new',
  spec: {
    appId: 'app',
    ownerId: 'ada',
    origin: { kind: 'git', url: 'https://git.example.com/a.git', ref: 'main' },
    env: {},
    ports: [],
  },
  hosts: ['app.localhost'],
};

function release(number: number, change: Partial<Release> = {}): Release {
  return {
    number,
    generation: 3,
    wish: 'new',
    outcome: undefined,
    reason: undefined,
    evidence: [],
    ...change,
  };
}

function instance(
  release: number,
  state: 'running' | 'exited' = 'running',
  id = `i${release}`,
): Instance {
  const exit = { code: 1, signal: undefined, at: new Date(NOW) };
  return {
    id,
    release,
    logName: `app-${id}`,
    address: { host: '127.0.0.1', port: 20_000 + release },
    startedAt: new Date(NOW - 5_000),
    state: state === 'running' ? { kind: 'running' } : { kind: 'exited', exit },
  };
}

function situation(change: Partial<Situation>): Situation {
  return {
    desired,
    observed: { built: [], instances: [] },
    last: undefined,
    lastLive: undefined,
    serving: undefined,
    retry: undefined,
    now: NOW,
    ...change,
  };
}

const live = release(1, { outcome: 'live' });
const old = release(1, { outcome: 'live', wish: 'old', generation: 1 });

describe('nextStep', () => {
  it.each<[string, Partial<Situation>, object]>([
    ['removes a deleted app', { desired: { ...desired, isDeleted: true } }, { kind: 'remove' }],
    [
      'stops everything of an app that should sleep',
      {
        desired: { ...desired, instances: 0 },
        observed: { built: [1], instances: [instance(1), instance(2, 'exited')] },
      },
      { kind: 'stop', instances: [{ id: 'i1' }, { id: 'i2' }] },
    ],
    [
      'is settled once a sleeping app has no instance left',
      {
        desired: { ...desired, instances: 0 },
        observed: { built: [1], instances: [] },
        last: live,
      },
      { kind: 'settled' },
    ],
    ['begins a first release', {}, { kind: 'release' }],
    ['begins a release when the wish changed', { last: old, lastLive: old }, { kind: 'release' }],
    [
      'begins a release after one that was superseded',
      { last: release(2, { outcome: 'superseded' }) },
      { kind: 'release' },
    ],
    [
      'tries a failed release again after any edit',
      { last: release(2, { outcome: 'failed', generation: 2 }) },
      { kind: 'release' },
    ],
    [
      'leaves a failed release be until the next edit',
      { last: release(2, { outcome: 'failed' }) },
      { kind: 'failed', release: { number: 2 } },
    ],
    ['builds what is not built', { last: release(2) }, { kind: 'build', release: { number: 2 } }],
    [
      'starts what is built',
      { last: release(2), observed: { built: [2], instances: [] } },
      { kind: 'start', release: { number: 2 } },
    ],
    [
      'wakes a release that was live before',
      { last: live, lastLive: live, observed: { built: [1], instances: [] } },
      { kind: 'start', release: { number: 1 } },
    ],
    [
      'checks what runs but does not serve',
      { last: release(2), observed: { built: [2], instances: [instance(2)] } },
      { kind: 'check', instance: { id: 'i2' }, release: { number: 2 } },
    ],
    [
      'lets the old release serve again before it goes on with the new one',
      { last: release(2), lastLive: old, observed: { built: [1], instances: [instance(1)] } },
      { kind: 'check', instance: { id: 'i1' }, release: { number: 1 } },
    ],
    [
      'goes on with the new release while the old one serves',
      {
        last: release(2),
        lastLive: old,
        serving: 'i1',
        observed: { built: [1], instances: [instance(1)] },
      },
      { kind: 'build', release: { number: 2 } },
    ],
    [
      'stops the old release once the new one serves',
      {
        last: live,
        lastLive: live,
        serving: 'i1',
        observed: { built: [1], instances: [instance(1), instance(0)] },
      },
      { kind: 'stop', instances: [{ id: 'i0' }] },
    ],
    [
      'stops a second instance of the release that serves',
      {
        last: live,
        lastLive: live,
        serving: 'i1',
        observed: { built: [1], instances: [instance(1), instance(1, 'running', 'twin')] },
      },
      { kind: 'stop', instances: [{ id: 'twin' }] },
    ],
    [
      'stops what an interrupted pass left over',
      {
        last: release(3),
        lastLive: old,
        serving: 'i1',
        observed: { built: [1, 2], instances: [instance(1), instance(2)] },
      },
      { kind: 'stop', instances: [{ id: 'i2' }] },
    ],
    [
      'stops an instance of a failed release and keeps the one that serves',
      {
        last: release(2, { outcome: 'failed' }),
        lastLive: old,
        serving: 'i1',
        observed: { built: [1, 2], instances: [instance(1), instance(2)] },
      },
      { kind: 'stop', instances: [{ id: 'i2' }] },
    ],
    [
      'notes a crash',
      {
        last: live,
        lastLive: live,
        serving: 'i1',
        observed: { built: [1], instances: [instance(1, 'exited')] },
      },
      { kind: 'crashed', instance: { id: 'i1' } },
    ],
    [
      'waits out the pause after a crash it has noted',
      {
        last: live,
        lastLive: live,
        observed: { built: [1], instances: [instance(1, 'exited')] },
        retry: { at: NOW + 1, instanceId: 'i1' },
      },
      { kind: 'wait', until: NOW + 1 },
    ],
    [
      'clears a crashed instance away when the pause is over',
      {
        last: live,
        lastLive: live,
        observed: { built: [1], instances: [instance(1, 'exited')] },
        retry: { at: NOW, instanceId: 'i1' },
      },
      { kind: 'stop', instances: [{ id: 'i1' }] },
    ],
    [
      'waits out the pause after a fetch that failed',
      { last: release(1), retry: { at: NOW + 500, instanceId: undefined } },
      { kind: 'wait', until: NOW + 500 },
    ],
    [
      'waits out the pause after a step that failed while the app serves',
      {
        last: live,
        lastLive: live,
        serving: 'i1',
        observed: { built: [0, 1], instances: [instance(1)] },
        retry: { at: NOW + 500, instanceId: undefined },
      },
      { kind: 'wait', until: NOW + 500 },
    ],
    [
      'removes builds that are not needed any more',
      {
        last: release(5, { outcome: 'live' }),
        lastLive: release(5, { outcome: 'live' }),
        serving: 'i5',
        observed: { built: [3, 5], instances: [instance(5)] },
      },
      { kind: 'prune', keep: [5] },
    ],
    [
      'is settled when the wished release serves alone',
      {
        last: live,
        lastLive: live,
        serving: 'i1',
        observed: { built: [1], instances: [instance(1)] },
      },
      { kind: 'settled' },
    ],
  ])('%s', (_, change, step) => {
    expect(nextStep(situation(change))).toMatchObject(step);
  });
});
