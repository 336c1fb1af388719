import type { Processes } from '@longshore/contract';
import { describe, expect, it } from 'vitest';
import {
  desired as app,
  crashed,
  instance,
  NOW,
  planInput,
  release,
  runs,
  stepFailed,
  values,
} from '../../../test/reconciler/plan-fixtures.ts';
import { nextStep } from '../plan.ts';
import { type PlanInput, runOf } from '../plan-input.ts';
import { wantedProcesses } from './process-plan.ts';

const detected = { processes: { worker: 'node worker.js' } };
const live = release(1, { outcome: 'live', detected });
const web = instance(1);
const worker = (number: number, id: string, state: 'running' | 'exited' = 'running') => ({
  ...instance(number, state, id),
  process: 'worker',
});
const serving = {
  last: live,
  live: [live],
  rotation: runs('i1'),
  answered: runs('i1', 'w1', 'w2'),
};
const observed = (...workers: ReturnType<typeof worker>[]) => ({
  observed: { built: [1], instances: [web, ...workers] },
});
const replicas = (number: number) => ({
  desired: { ...app, values: { ...values, processes: { worker: { replicas: number } } } },
});
const failed = (id: string, at: number, failingUntil = at) => ({
  processRetries: new Map([
    [
      'worker',
      {
        release: 1,
        startAt: undefined,
        replaceAt: new Map([[runOf(instance(1, 'exited', id)), at]]),
        failingUntil,
      },
    ],
  ]),
});

describe('the other processes of an app', () => {
  it.each<[string, Partial<PlanInput>, object]>([
    [
      'start when web serves',
      { ...serving, ...observed() },
      { kind: 'process-start', release: { number: 1 }, type: { name: 'worker' }, count: 1 },
    ],
    [
      'do not start before web serves for the first time',
      {
        last: release(1, { detected }),
        observed: { built: [1], instances: [web] },
      },
      { kind: 'check', instances: [{ id: 'i1' }] },
    ],
    ['are settled when all run', { ...serving, ...observed(worker(1, 'w1')) }, { kind: 'settled' }],
    [
      'start as many as the settings say, without a release',
      { ...serving, ...observed(worker(1, 'w1')), ...replicas(3) },
      { kind: 'process-start', count: 2 },
    ],
    [
      'stop the newest ones when there are too many',
      { ...serving, ...observed(worker(1, 'w1'), worker(1, 'w2')) },
      { kind: 'stop', instances: [{ id: 'w2' }] },
    ],
    [
      'stop all when they are turned off',
      { ...serving, ...observed(worker(1, 'w1')), ...replicas(0) },
      { kind: 'stop', instances: [{ id: 'w1' }] },
    ],
    [
      'are confirmed once they run',
      { ...serving, ...observed(worker(1, 'new')) },
      { kind: 'process-confirm', instances: [{ id: 'new' }] },
    ],
    [
      'report each exit once',
      { ...serving, ...observed(worker(1, 'w1', 'exited')) },
      { kind: 'process-crashed', instance: { id: 'w1' }, role: 'newest' },
    ],
    [
      'wait for the restart of one that exited',
      { ...serving, ...observed(worker(1, 'w1', 'exited')), ...failed('w1', NOW + 9) },
      { kind: 'wait', until: NOW + 9 },
    ],
    [
      'start others while one waits for its restart',
      {
        ...serving,
        ...observed(worker(1, 'w1', 'exited')),
        ...failed('w1', NOW + 9),
        ...replicas(2),
      },
      { kind: 'process-start', count: 1 },
    ],
    [
      'remove one that exited when it may be replaced',
      { ...serving, ...observed(worker(1, 'w1', 'exited')), ...failed('w1', NOW) },
      { kind: 'stop', instances: [{ id: 'w1' }] },
    ],
    [
      'count as failing for a while after a restart',
      { ...serving, ...observed(worker(1, 'w2')), ...failed('w1', NOW - 1, NOW + 5) },
      { kind: 'wait', until: NOW + 5 },
    ],
    [
      'do not count as failing after those of another release failed',
      {
        last: release(2, { outcome: 'live', detected }),
        live: [release(2, { outcome: 'live', detected }), live],
        rotation: runs('i2'),
        answered: runs('i2', 'w2'),
        observed: { built: [1, 2], instances: [instance(2), worker(2, 'w2')] },
        ...failed('w1', NOW + 9, NOW + 19),
      },
      { kind: 'settled' },
    ],
    [
      'report the exits of the release that serves after a cancelled one',
      {
        ...serving,
        ...observed(worker(1, 'w1', 'exited')),
        last: release(2, { outcome: 'cancelled', detected: {} }),
      },
      { kind: 'process-crashed', instance: { id: 'w1' }, role: 'newest' },
    ],
    [
      'of the old release run while the new one is built',
      {
        ...serving,
        ...observed(),
        last: release(2, { detected: {} }),
        desired: { ...app, desiredHash: 'new' },
      },
      { kind: 'process-start', release: { number: 1 }, role: 'fallback' },
    ],
    [
      'of the old release stop when the new web serves',
      {
        last: release(2, { outcome: 'live', detected }),
        live: [release(2, { outcome: 'live', detected }), live],
        rotation: runs('i2'),
        answered: runs('i2', 'w1'),
        observed: { built: [1, 2], instances: [instance(2), worker(1, 'w1')] },
      },
      { kind: 'stop', instances: [{ id: 'w1' }] },
    ],
    [
      'wait until the old web has stopped',
      {
        last: release(2, { outcome: 'live', detected }),
        live: [release(2, { outcome: 'live', detected }), live],
        rotation: runs('i2'),
        answered: runs('i2', 'w1'),
        observed: { built: [1, 2], instances: [web, instance(2), worker(1, 'w1')] },
      },
      { kind: 'stop', instances: [{ id: 'i1' }] },
    ],
    [
      'keep running while web waits for its restart',
      {
        ...serving,
        rotation: runs(),
        observed: { built: [1], instances: [instance(1, 'exited'), worker(1, 'w1')] },
        retry: crashed('i1', NOW + 5),
      },
      { kind: 'wait', until: NOW + 5 },
    ],
    [
      'wait before a stop that failed is repeated',
      {
        ...serving,
        ...observed(worker(1, 'w1')),
        ...replicas(0),
        retry: stepFailed('stop', NOW + 7),
      },
      { kind: 'wait', until: NOW + 7 },
    ],
    [
      'are replaced when the owner restarts the app',
      {
        ...serving,
        ...observed(worker(1, 'w1')),
        desired: { ...app, replacedInstances: ['app-w1'] },
      },
      { kind: 'stop', instances: [{ id: 'w1' }] },
    ],
    [
      'all stop when the app hibernates',
      { ...serving, ...observed(worker(1, 'w1')), desired: { ...app, instances: 0 } },
      { kind: 'stop', instances: [{ id: 'i1' }, { id: 'w1' }] },
    ],
  ])('%s', (_, input, step) => {
    expect(nextStep(planInput({ ...replicas(1), ...input }))).toMatchObject(step);
  });
});

it('takes commands and sizes from the release, and numbers from the settings', () => {
  const processes = {
    clock: { command: 'node clock.js', replicas: 2 },
    worker: { resourceTier: 't2', replicas: 4 },
  };
  const made = { values: { ...values, processes }, detected };
  const current = (changed: Processes) => ({ values: { ...values, processes: changed } });
  expect(wantedProcesses(made, current({ worker: { replicas: 0 } }))).toEqual([
    { name: 'clock', command: 'node clock.js', replicas: 2, resourceTier: 't1' },
    { name: 'worker', command: 'node worker.js', replicas: 0, resourceTier: 't2' },
  ]);
  expect(wantedProcesses(made, current({ worker: { command: 'other' } }))).toMatchObject([
    { name: 'clock', replicas: 2 },
    { name: 'worker', command: 'node worker.js', replicas: 1 },
  ]);
});

it('runs a process of the Procfile once without settings, whatever they were at its release', () => {
  const processes = { worker: { replicas: 0 }, clock: { command: 'node clock.js', replicas: 0 } };
  const made = { values: { ...values, processes }, detected };
  expect(wantedProcesses(made, { values })).toMatchObject([
    { name: 'clock', replicas: 0 },
    { name: 'worker', replicas: 1 },
  ]);
});

it('does not take what objects inherit for settings', () => {
  const processes = { constructor: { command: 'node constructor.js', replicas: 3 } };
  const made = { values: { ...values, processes }, detected: {} };
  expect(wantedProcesses(made, { values })).toMatchObject([{ name: 'constructor', replicas: 3 }]);
});
