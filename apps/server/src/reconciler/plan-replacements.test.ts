import { describe, expect, it } from 'vitest';
import {
  desired,
  instance,
  planInput,
  release,
  runs,
} from '../../test/reconciler/plan-fixtures.ts';
import { nextStep } from './plan.ts';
import type { PlanInput } from './plan-input.ts';

const live = release(1, { outcome: 'live' });

const renamed = { ...instance(1), networkAlias: { projectId: 'project', name: 'former-name' } };

const outdated = { ...instance(1), isOutdated: true } as const;

describe('the replacement of an instance by one of the same release', () => {
  it.each<[string, Partial<PlanInput>, object]>([
    [
      'lets an instance with a former name serve after a server restart, before anything else',
      { last: live, live: [live], observed: { built: [1], instances: [renamed] } },
      { kind: 'check', instances: [{ id: 'i1' }] },
    ],
    [
      'starts an instance beside one with a former name',
      {
        last: live,
        live: [live],
        rotation: runs('i1'),
        observed: { built: [1], instances: [renamed] },
      },
      { kind: 'start', release: { number: 1 }, role: 'newest' },
    ],
    [
      'stops an instance with a former name once another one serves',
      {
        last: live,
        live: [live],
        rotation: runs('twin'),
        observed: { built: [1], instances: [renamed, instance(1, 'running', 'twin')] },
      },
      { kind: 'stop', instances: [{ id: 'i1' }] },
    ],
    [
      'lets an outdated instance serve after a server restart, before anything else',
      { last: live, live: [live], observed: { built: [1], instances: [outdated] } },
      { kind: 'check', instances: [{ id: 'i1' }] },
    ],
    [
      'starts an instance beside an outdated one',
      {
        last: live,
        live: [live],
        rotation: runs('i1'),
        observed: { built: [1], instances: [outdated] },
      },
      { kind: 'start', release: { number: 1 }, role: 'newest' },
    ],
    [
      'starts an instance beside one that its owner asked to replace',
      {
        desired: { ...desired, replacedInstances: ['app-i1'] },
        last: live,
        live: [live],
        rotation: runs('i1'),
        observed: { built: [1], instances: [instance(1)] },
      },
      { kind: 'start', release: { number: 1 }, role: 'newest' },
    ],
    [
      'stops the replaced instance once another one serves',
      {
        desired: { ...desired, replacedInstances: ['app-i1'] },
        last: live,
        live: [live],
        rotation: runs('twin'),
        observed: { built: [1], instances: [instance(1), instance(1, 'running', 'twin')] },
      },
      { kind: 'stop', instances: [{ id: 'i1' }] },
    ],
    [
      'starts an instance beside an outdated one of the fallback, although the newest release failed',
      {
        last: release(2, { outcome: 'failed' }),
        live: [live],
        rotation: runs('i1'),
        observed: { built: [1], instances: [outdated] },
      },
      { kind: 'start', release: { number: 1 }, role: 'fallback' },
    ],
    [
      'lets the replacement of an outdated fallback serve',
      {
        last: release(2, { outcome: 'failed' }),
        live: [live],
        rotation: runs('i1'),
        observed: { built: [1], instances: [outdated, instance(1, 'running', 'twin')] },
      },
      { kind: 'check', instances: [{ id: 'twin' }], role: 'fallback' },
    ],
    [
      'stops an outdated instance of the fallback once another one serves',
      {
        last: release(2, { outcome: 'failed' }),
        live: [live],
        rotation: runs('twin'),
        observed: { built: [1], instances: [outdated, instance(1, 'running', 'twin')] },
      },
      { kind: 'stop', instances: [{ id: 'i1' }] },
    ],
  ])('%s', (_, change, step) => {
    expect(nextStep(planInput(change))).toMatchObject(step);
  });
});
