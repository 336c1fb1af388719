import { pinRevision, releaseValues } from '@longshore/contract';
import { buildAppValues } from '@longshore/testkit';
import { describe, expect, it } from 'vitest';
import type { Release } from '../apps/releases.ts';
import type { Instance } from '../engines/engine.ts';
import type { DesiredApp } from './desired.ts';
import { nextStep } from './plan.ts';
import type { Situation } from './situation.ts';

const NOW = 1_000_000;
const values = releaseValues(buildAppValues());

const desired: DesiredApp = {
  id: 'app',
  generation: 3,
  isDeleted: false,
  instances: 1,
  desiredHash: 'new',
  previousDesiredHash: 'new, as it was written before',
  values,
  spec: {
    appId: 'app',
    projectId: 'project',
    name: 'shop',
    ownerId: 'ada',
    origin: { kind: 'git', url: 'https://git.example.com/a.git', ref: 'main' },
    env: {},
    ports: [],
  },
  hosts: ['app.localhost'],
  sleepAfterMs: undefined,
};

function release(number: number, change: Partial<Release> = {}): Release {
  return {
    number,
    generation: 3,
    desiredHash: 'new',
    values,
    revision: 'c0ffee',
    from: undefined,
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
    live: [],
    serving: undefined,
    retry: undefined,
    fallbackRetry: undefined,
    now: NOW,
    ...change,
  };
}

const live = release(1, { outcome: 'live' });
const old = release(1, { outcome: 'live', desiredHash: 'old', generation: 1 });

const misplaced = {
  ...instance(1),
  networkAlias: { projectId: 'project', name: 'the name before' },
};

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
    ['begins a release when the wish changed', { last: old, live: [old] }, { kind: 'release' }],
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
      { last: live, live: [live], observed: { built: [1], instances: [] } },
      { kind: 'start', release: { number: 1 } },
    ],
    [
      'checks what runs but does not serve',
      { last: release(2), observed: { built: [2], instances: [instance(2)] } },
      { kind: 'check', instance: { id: 'i2' }, release: { number: 2 } },
    ],
    [
      'lets the old release serve again before it goes on with the new one',
      { last: release(2), live: [old], observed: { built: [1], instances: [instance(1)] } },
      { kind: 'check', instance: { id: 'i1' }, release: { number: 1 } },
    ],
    [
      'goes on with the new release while the old one serves',
      {
        last: release(2),
        live: [old],
        serving: 'i1',
        observed: { built: [1], instances: [instance(1)] },
      },
      { kind: 'build', release: { number: 2 } },
    ],
    [
      'stops the old release once the new one serves',
      {
        last: live,
        live: [live],
        serving: 'i1',
        observed: { built: [1], instances: [instance(1), instance(0)] },
      },
      { kind: 'stop', instances: [{ id: 'i0' }] },
    ],
    [
      'stops a second instance of the release that serves',
      {
        last: live,
        live: [live],
        serving: 'i1',
        observed: { built: [1], instances: [instance(1), instance(1, 'running', 'twin')] },
      },
      { kind: 'stop', instances: [{ id: 'twin' }] },
    ],
    [
      'stops what an interrupted pass left over',
      {
        last: release(3),
        live: [old],
        serving: 'i1',
        observed: { built: [1, 2], instances: [instance(1), instance(2)] },
      },
      { kind: 'stop', instances: [{ id: 'i2' }] },
    ],
    [
      'stops an instance of a failed release and keeps the one that serves',
      {
        last: release(2, { outcome: 'failed' }),
        live: [old],
        serving: 'i1',
        observed: { built: [1, 2], instances: [instance(1), instance(2)] },
      },
      { kind: 'stop', instances: [{ id: 'i2' }] },
    ],
    [
      'notes a crash',
      {
        last: live,
        live: [live],
        serving: 'i1',
        observed: { built: [1], instances: [instance(1, 'exited')] },
      },
      { kind: 'crashed', instance: { id: 'i1' } },
    ],
    [
      'waits out the pause after a crash it has noted',
      {
        last: live,
        live: [live],
        observed: { built: [1], instances: [instance(1, 'exited')] },
        retry: { at: NOW + 1, instanceId: 'i1' },
      },
      { kind: 'wait', until: NOW + 1 },
    ],
    [
      'clears a crashed instance away when the pause is over',
      {
        last: live,
        live: [live],
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
        live: [live],
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
        live: [release(5, { outcome: 'live' })],
        serving: 'i5',
        observed: { built: [3, 5], instances: [instance(5)] },
      },
      { kind: 'prune', keep: [5] },
    ],
    [
      'keeps the builds of the releases that served',
      {
        last: release(5, { outcome: 'live' }),
        live: [release(5, { outcome: 'live' }), old],
        serving: 'i5',
        observed: { built: [1, 3, 5], instances: [instance(5)] },
      },
      { kind: 'prune', keep: [5, 1] },
    ],
    [
      'asks for the revision of a build that nobody noted',
      {
        last: release(2, { revision: undefined }),
        observed: { built: [2], instances: [] },
      },
      { kind: 'build', release: { number: 2 } },
    ],
    [
      'begins a release of a kept build when its commit is wished',
      {
        desired: { ...desired, values: pinRevision('c0ffee', values) },
        last: release(4, { desiredHash: 'bad', outcome: 'live' }),
        live: [release(4, { desiredHash: 'bad', revision: 'bad', outcome: 'live' }), old],
        observed: { built: [1, 4], instances: [instance(4)] },
      },
      { kind: 'release', from: { number: 1 } },
    ],
    [
      'begins a release without a build that is gone',
      {
        desired: { ...desired, values: pinRevision('c0ffee', values) },
        live: [old],
      },
      { kind: 'release', from: undefined },
    ],
    [
      'reuses the build it was begun with',
      { last: release(5, { from: 1 }), observed: { built: [1], instances: [] } },
      { kind: 'reuse', release: { number: 5 }, from: 1 },
    ],
    [
      'starts a reused build like any other',
      { last: release(5, { from: 1 }), observed: { built: [1, 5], instances: [] } },
      { kind: 'start', release: { number: 5 }, role: 'newest' },
    ],
    [
      'builds when what it was begun with is gone',
      { last: release(5, { from: 1 }) },
      { kind: 'build', release: { number: 5 } },
    ],
    [
      'lets what is out of its place serve again after a restart, before anything else is done',
      { last: live, live: [live], observed: { built: [1], instances: [misplaced] } },
      { kind: 'check', instance: { id: 'i1' } },
    ],
    [
      'starts another instance beside one that is out of its place',
      { last: live, live: [live], serving: 'i1', observed: { built: [1], instances: [misplaced] } },
      { kind: 'start', release: { number: 1 }, role: 'newest' },
    ],
    [
      'stops what is out of its place once another one serves',
      {
        last: live,
        live: [live],
        serving: 'twin',
        observed: { built: [1], instances: [misplaced, instance(1, 'running', 'twin')] },
      },
      { kind: 'stop', instances: [{ id: 'i1' }] },
    ],
    [
      'is settled when the wished release serves alone',
      {
        last: live,
        live: [live],
        serving: 'i1',
        observed: { built: [1], instances: [instance(1)] },
      },
      { kind: 'settled' },
    ],
  ])('%s', (_, change, step) => {
    expect(nextStep(situation(change))).toMatchObject(step);
  });
});

describe('the release that served before', () => {
  const failed = release(2, { outcome: 'failed' });
  const underWay = release(2);
  const ended = instance(1, 'exited');
  const stepFailed = { at: NOW + 500, instanceId: undefined };
  const crashNoted = { at: NOW + 200, instanceId: 'i1' };
  const start = { kind: 'start', release: { number: 1 }, role: 'fallback' };

  it.each<[string, Partial<Situation>, object]>([
    ['is started again when the newest one failed', { last: failed }, start],
    [
      'is started again while the newest one is tried again later',
      { last: underWay, retry: stepFailed },
      start,
    ],
    [
      'is started again while the newest one crashes',
      {
        last: underWay,
        observed: { built: [1, 2], instances: [instance(2, 'exited')] },
        retry: { at: NOW + 500, instanceId: 'i2' },
      },
      start,
    ],
    ['is started before the newest one is built', { last: underWay }, start],
    [
      'waits for nothing when the newest one can be started',
      { last: underWay, observed: { built: [1, 2], instances: [] } },
      { kind: 'start', release: { number: 2 }, role: 'newest' },
    ],
    [
      'serves as soon as it runs',
      { last: failed, observed: { built: [1], instances: [instance(1)] } },
      { kind: 'check', instance: { id: 'i1' }, release: { number: 1 }, role: 'fallback' },
    ],
    [
      'has its crash counted before it is started again',
      { last: failed, observed: { built: [1], instances: [ended] } },
      { kind: 'crashed', instance: { id: 'i1' }, role: 'fallback' },
    ],
    [
      'is not stopped as a left-over before its crash is counted',
      { last: underWay, observed: { built: [1], instances: [ended] } },
      { kind: 'crashed', instance: { id: 'i1' }, role: 'fallback' },
    ],
    [
      'does not hold up the build of the newest one when it crashes',
      {
        last: underWay,
        observed: { built: [1], instances: [ended] },
        fallbackRetry: crashNoted,
      },
      { kind: 'build', release: { number: 2 } },
    ],
    [
      'is started again after its pause, while the failure of the newest one is told',
      {
        last: failed,
        observed: { built: [1], instances: [ended] },
        fallbackRetry: crashNoted,
      },
      { kind: 'failed', release: { number: 2 }, until: NOW + 200 },
    ],
    [
      'is started again after its pause, if that is over sooner than the other one',
      {
        last: underWay,
        observed: { built: [1], instances: [ended] },
        retry: stepFailed,
        fallbackRetry: crashNoted,
      },
      { kind: 'wait', until: NOW + 200 },
    ],
    [
      'is started again when its pause is over',
      {
        last: failed,
        observed: { built: [1], instances: [ended] },
        fallbackRetry: { at: NOW, instanceId: 'i1' },
      },
      start,
    ],
    [
      'is not asked again at once when it did not answer',
      {
        last: underWay,
        observed: { built: [1], instances: [instance(1)] },
        fallbackRetry: stepFailed,
      },
      { kind: 'build', release: { number: 2 } },
    ],
    [
      'is left alone while it serves',
      {
        last: failed,
        serving: 'i1',
        observed: { built: [1], instances: [instance(1)] },
      },
      { kind: 'failed', release: { number: 2 }, until: undefined },
    ],
    [
      'is not started when its build is gone',
      { last: failed, observed: { built: [], instances: [] } },
      { kind: 'failed', release: { number: 2 } },
    ],
    [
      'is not started for an app that should sleep',
      { last: failed, desired: { ...desired, instances: 0 } },
      { kind: 'settled' },
    ],
  ])('%s', (_, change, step) => {
    const observed = { built: [1], instances: [] };
    expect(nextStep(situation({ observed, live: [old], ...change }))).toMatchObject(step);
  });
});
