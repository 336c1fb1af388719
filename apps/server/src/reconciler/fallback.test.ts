import { describe, expect, it } from 'vitest';
import {
  crashed,
  desired,
  instance,
  NOW,
  old,
  planInput,
  release,
  runs,
  stepFailed,
} from '../../test/reconciler/plan-fixtures.ts';
import { nextStep } from './plan.ts';
import type { PlanInput } from './plan-input.ts';

describe('the fallback release', () => {
  const failed = release(2, { outcome: 'failed' });
  const inProgress = release(2);
  const ended = instance(1, 'exited');
  const failedBuild = stepFailed('build', NOW + 500);
  const NOTHING = { built: [], instances: [] };
  const crashRecorded = crashed('i1', NOW + 200);
  const start = { kind: 'start', release: { number: 1 }, role: 'fallback' };

  it.each<[string, Partial<PlanInput>, object]>([
    ['is started when the newest one failed', { last: failed }, start],
    [
      'is started while the newest one waits for its retry',
      { last: inProgress, retry: failedBuild },
      start,
    ],
    [
      'is started while the newest one crashes',
      {
        last: inProgress,
        observed: { built: [1, 2], instances: [instance(2, 'exited')] },
        retry: crashed('i2', NOW + 500),
      },
      start,
    ],
    ['is started before the newest one is built', { last: inProgress }, start],
    [
      'is not started when the newest one can be started',
      { last: inProgress, observed: { built: [1, 2], instances: [] } },
      { kind: 'start', release: { number: 2 }, role: 'newest' },
    ],
    [
      'is checked as soon as it runs',
      { last: failed, observed: { built: [1], instances: [instance(1)] } },
      { kind: 'check', instances: [{ id: 'i1' }], release: { number: 1 }, role: 'fallback' },
    ],
    [
      'has its crash counted before it is restarted',
      { last: failed, observed: { built: [1], instances: [ended] } },
      { kind: 'crashed', instance: { id: 'i1' }, role: 'fallback' },
    ],
    [
      'is not stopped as a leftover before its crash is counted',
      { last: inProgress, observed: { built: [1], instances: [ended] } },
      { kind: 'crashed', instance: { id: 'i1' }, role: 'fallback' },
    ],
    [
      'does not delay the build of the newest one when it crashes',
      {
        last: inProgress,
        observed: { built: [1], instances: [ended] },
        fallbackRetry: crashRecorded,
      },
      { kind: 'build', release: { number: 2 } },
    ],
    [
      'is restarted after its pause, while the failure of the newest one is reported',
      {
        last: failed,
        observed: { built: [1], instances: [ended] },
        fallbackRetry: crashRecorded,
      },
      { kind: 'failed', release: { number: 2 }, until: NOW + 200 },
    ],
    [
      'is restarted after its pause, if that ends before the retry of the newest one',
      {
        last: inProgress,
        observed: { built: [1], instances: [ended] },
        retry: failedBuild,
        fallbackRetry: crashRecorded,
      },
      { kind: 'wait', until: NOW + 200 },
    ],
    [
      'is removed when its pause is over, to be started again',
      {
        last: failed,
        observed: { built: [1], instances: [ended] },
        fallbackRetry: crashed('i1', NOW),
      },
      { kind: 'stop', instances: [{ id: 'i1' }], progress: undefined },
    ],
    [
      'is not checked again before its pause is over when it did not answer',
      {
        last: inProgress,
        observed: { built: [1], instances: [instance(1)] },
        fallbackRetry: stepFailed('check', NOW + 500),
      },
      { kind: 'build', release: { number: 2 } },
    ],
    [
      'is not stopped again before the pause is over when that failed',
      {
        last: failed,
        observed: { built: [1], instances: [ended] },
        retry: stepFailed('stop', NOW + 500),
        fallbackRetry: crashed('i1', NOW),
      },
      { kind: 'failed', release: { number: 2 }, until: NOW + 500 },
    ],
    [
      'is left running while it serves',
      {
        last: failed,
        rotation: runs('i1'),
        observed: { built: [1], instances: [instance(1)] },
      },
      { kind: 'failed', release: { number: 2 }, until: undefined },
    ],
    [
      'is built again if its build is lost and the newest one failed',
      { last: failed, observed: NOTHING },
      { kind: 'build', release: { number: 1 }, role: 'fallback' },
    ],
    [
      'is built again if its build is lost while the newest one waits for minutes',
      {
        last: inProgress,
        observed: { built: [2], instances: [instance(2, 'exited')] },
        retry: crashed('i2', NOW + 120_000),
      },
      { kind: 'build', release: { number: 1 }, role: 'fallback' },
    ],
    [
      'is not built again while the newest one waits for a moment',
      {
        last: inProgress,
        observed: { built: [2], instances: [instance(2, 'exited')] },
        retry: crashed('i2', NOW + 119_999),
      },
      { kind: 'wait', until: NOW + 119_999 },
    ],
    [
      'is not built again before the newest one is built',
      { last: inProgress, observed: NOTHING },
      { kind: 'build', release: { number: 2 }, role: 'newest' },
    ],
    [
      'is not built again before the pause is over when that failed',
      { last: failed, observed: NOTHING, fallbackRetry: stepFailed('build', NOW + 500) },
      { kind: 'failed', release: { number: 2 }, until: NOW + 500 },
    ],
    [
      'is not built again for a hibernated app',
      { last: failed, observed: NOTHING, desired: { ...desired, instances: 0 } },
      { kind: 'settled' },
    ],
    [
      'is not started for a hibernated app',
      { last: failed, desired: { ...desired, instances: 0 } },
      { kind: 'settled' },
    ],
  ])('%s', (_, change, step) => {
    const observed = { built: [1], instances: [] };
    expect(nextStep(planInput({ observed, live: [old], ...change }))).toMatchObject(step);
  });
});
