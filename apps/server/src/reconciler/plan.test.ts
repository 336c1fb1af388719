import { pinRevision } from '@longshore/contract';
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
  values,
} from '../../test/reconciler/plan-fixtures.ts';
import { nextStep } from './plan.ts';
import type { PlanInput } from './plan-input.ts';

const live = release(1, { outcome: 'live' });

describe('nextStep', () => {
  it.each<[string, Partial<PlanInput>, object]>([
    ['removes a deleted app', { desired: { ...desired, isDeleted: true } }, { kind: 'remove' }],
    [
      'stops all instances of a hibernated app',
      {
        desired: { ...desired, instances: 0 },
        observed: { built: [1], instances: [instance(1), instance(2, 'exited')] },
      },
      { kind: 'stop', instances: [{ id: 'i1' }, { id: 'i2' }], progress: 'stopping' },
    ],
    [
      'is settled when a hibernated app has no instance left',
      {
        desired: { ...desired, instances: 0 },
        observed: { built: [1], instances: [] },
        last: live,
      },
      { kind: 'settled' },
    ],
    ['creates the first release', {}, { kind: 'release' }],
    [
      'creates a release when the desired hash changed',
      { last: old, live: [old] },
      { kind: 'release' },
    ],
    [
      'creates a release after one that was superseded',
      { last: release(2, { outcome: 'superseded' }) },
      { kind: 'release' },
    ],
    [
      'creates a release after any edit of a failed one',
      { last: release(2, { outcome: 'failed', generation: 2 }) },
      { kind: 'release' },
    ],
    [
      'does not create a release after a failed release command when the desired hash is the same',
      {
        last: release(2, { outcome: 'failed', generation: 2, reason: 'release-command-failed' }),
      },
      { kind: 'failed', release: { number: 2 } },
    ],
    [
      'creates a release after a failed release command when the desired hash changed',
      {
        last: release(2, {
          outcome: 'failed',
          desiredHash: 'old',
          reason: 'release-command-timed-out',
        }),
      },
      { kind: 'release' },
    ],
    [
      'does not retry a failed release until the next edit',
      { last: release(2, { outcome: 'failed' }) },
      { kind: 'failed', release: { number: 2 } },
    ],
    [
      'does not repeat a cancelled release, not even after an edit that needs no release',
      { last: release(2, { outcome: 'cancelled', generation: 1 }) },
      { kind: 'cancelled' },
    ],
    [
      'creates a release after a cancelled one when the desired hash changed',
      { last: release(2, { outcome: 'cancelled', desiredHash: 'old' }) },
      { kind: 'release' },
    ],
    [
      'stops an instance of a cancelled release',
      {
        last: release(2, { outcome: 'cancelled' }),
        observed: { built: [2], instances: [instance(2)] },
      },
      { kind: 'stop', instances: [{ id: 'i2' }] },
    ],
    [
      'removes the build of a cancelled first release',
      { last: release(2, { outcome: 'cancelled' }), observed: { built: [2], instances: [] } },
      { kind: 'prune', keep: [] },
    ],
    [
      'stops an instance of a cancelled release and keeps the one that serves',
      {
        last: release(2, { outcome: 'cancelled' }),
        live: [old],
        rotation: runs('i1'),
        observed: { built: [1, 2], instances: [instance(1), instance(2)] },
      },
      { kind: 'stop', instances: [{ id: 'i2' }], progress: 'stopping' },
    ],
    [
      'removes the build of a cancelled release',
      {
        last: release(2, { outcome: 'cancelled' }),
        live: [old],
        rotation: runs('i1'),
        observed: { built: [1, 2], instances: [instance(1)] },
      },
      { kind: 'prune', keep: [1] },
    ],
    [
      'is settled when the release before a cancelled one serves',
      {
        last: release(2, { outcome: 'cancelled' }),
        live: [old],
        rotation: runs('i1'),
        observed: { built: [1], instances: [instance(1)] },
      },
      { kind: 'settled' },
    ],
    [
      'records a crash of the release before a cancelled one as its own',
      {
        last: release(2, { outcome: 'cancelled' }),
        live: [old],
        observed: { built: [1], instances: [instance(1, 'exited')] },
      },
      { kind: 'crashed', instance: { id: 'i1' }, role: 'newest' },
    ],
    [
      'waits after a crash of the release before a cancelled one',
      {
        last: release(2, { outcome: 'cancelled' }),
        live: [old],
        observed: { built: [1], instances: [instance(1, 'exited')] },
        retry: crashed('i1', NOW + 1),
      },
      { kind: 'wait', until: NOW + 1 },
    ],
    [
      'starts the release before a cancelled one when the app wakes',
      {
        last: release(2, { outcome: 'cancelled', generation: 1 }),
        live: [old],
        observed: { built: [1], instances: [] },
      },
      { kind: 'start', release: { number: 1 }, role: 'newest' },
    ],
    [
      'builds a release that is not built',
      { last: release(2) },
      { kind: 'build', release: { number: 2 } },
    ],
    [
      'starts a built release',
      { last: release(2), observed: { built: [2], instances: [] } },
      { kind: 'start', release: { number: 2 } },
    ],
    [
      'starts a release that was live before',
      { last: live, live: [live], observed: { built: [1], instances: [] } },
      { kind: 'start', release: { number: 1 } },
    ],
    [
      'checks an instance that runs but does not serve',
      { last: release(2), observed: { built: [2], instances: [instance(2)] } },
      { kind: 'check', instances: [{ id: 'i2' }], release: { number: 2 } },
    ],
    [
      'lets the previous release serve before it continues with the new one',
      { last: release(2), live: [old], observed: { built: [1], instances: [instance(1)] } },
      { kind: 'check', instances: [{ id: 'i1' }], release: { number: 1 } },
    ],
    [
      'continues with the new release while the previous one serves',
      {
        last: release(2),
        live: [old],
        rotation: runs('i1'),
        observed: { built: [1], instances: [instance(1)] },
      },
      { kind: 'build', release: { number: 2 } },
    ],
    [
      'stops the previous release once the new one serves',
      {
        last: live,
        live: [live],
        rotation: runs('i1'),
        observed: { built: [1], instances: [instance(1), instance(0)] },
      },
      { kind: 'stop', instances: [{ id: 'i0' }], progress: 'live' },
    ],
    [
      'stops a second instance of the release that serves',
      {
        last: live,
        live: [live],
        rotation: runs('i1'),
        observed: { built: [1], instances: [instance(1), instance(1, 'running', 'twin')] },
      },
      { kind: 'stop', instances: [{ id: 'twin' }] },
    ],
    [
      'stops instances left over from an interrupted pass',
      {
        last: release(3),
        live: [old],
        rotation: runs('i1'),
        observed: { built: [1, 2], instances: [instance(1), instance(2)] },
      },
      { kind: 'stop', instances: [{ id: 'i2' }] },
    ],
    [
      'stops an instance of a failed release and keeps the one that serves',
      {
        last: release(2, { outcome: 'failed' }),
        live: [old],
        rotation: runs('i1'),
        observed: { built: [1, 2], instances: [instance(1), instance(2)] },
      },
      { kind: 'stop', instances: [{ id: 'i2' }] },
    ],
    [
      'records a crash',
      {
        last: live,
        live: [live],
        rotation: runs('i1'),
        observed: { built: [1], instances: [instance(1, 'exited')] },
      },
      { kind: 'crashed', instance: { id: 'i1' } },
    ],
    [
      'waits after a recorded crash',
      {
        last: live,
        live: [live],
        observed: { built: [1], instances: [instance(1, 'exited')] },
        retry: crashed('i1', NOW + 1),
      },
      { kind: 'wait', until: NOW + 1 },
    ],
    [
      'removes a crashed instance after the pause',
      {
        last: live,
        live: [live],
        observed: { built: [1], instances: [instance(1, 'exited')] },
        retry: crashed('i1', NOW),
      },
      { kind: 'stop', instances: [{ id: 'i1' }] },
    ],
    [
      'waits after a failed fetch',
      { last: release(1), retry: stepFailed('build', NOW + 500) },
      { kind: 'wait', until: NOW + 500 },
    ],
    [
      'waits after a failed step while the app serves',
      {
        last: live,
        live: [live],
        rotation: runs('i1'),
        observed: { built: [0, 1], instances: [instance(1)] },
        retry: stepFailed('prune', NOW + 500),
      },
      { kind: 'wait', until: NOW + 500 },
    ],
    [
      'prunes builds that are not needed any more',
      {
        last: release(5, { outcome: 'live' }),
        live: [release(5, { outcome: 'live' })],
        rotation: runs('i5'),
        observed: { built: [3, 5], instances: [instance(5)] },
      },
      { kind: 'prune', keep: [5] },
    ],
    [
      'keeps the builds of live releases',
      {
        last: release(5, { outcome: 'live' }),
        live: [release(5, { outcome: 'live' }), old],
        rotation: runs('i5'),
        observed: { built: [1, 3, 5], instances: [instance(5)] },
      },
      { kind: 'prune', keep: [5, 1] },
    ],
    [
      'requests a build again whose revision is not stored',
      {
        last: release(2, { revision: undefined }),
        observed: { built: [2], instances: [] },
      },
      { kind: 'build', release: { number: 2 } },
    ],
    [
      'creates a release from a stored build when its commit is desired',
      {
        desired: { ...desired, values: pinRevision('c0ffee', values) },
        last: release(4, { desiredHash: 'bad', outcome: 'live' }),
        live: [release(4, { desiredHash: 'bad', revision: 'bad', outcome: 'live' }), old],
        observed: { built: [1, 4], instances: [instance(4)] },
      },
      { kind: 'release', from: { number: 1 } },
    ],
    [
      'keeps the build of the newest release after an edit that it does not depend on',
      {
        last: old,
        live: [old],
        isRedeployed: false,
        observed: { built: [1], instances: [instance(1)] },
      },
      { kind: 'release', from: { number: 1, revision: 'c0ffee' } },
    ],
    [
      'keeps the build of a release that failed after it was built',
      {
        last: release(2, { desiredHash: 'bad', outcome: 'failed' }),
        live: [old],
        isRedeployed: false,
        observed: { built: [1, 2], instances: [instance(1)] },
      },
      { kind: 'release', from: { number: 2 } },
    ],
    [
      'keeps the build that the newest release was going to reuse',
      {
        last: release(2, { desiredHash: 'bad', from: 1 }),
        live: [old],
        isRedeployed: false,
        observed: { built: [1], instances: [instance(1)] },
      },
      { kind: 'release', from: { number: 1, revision: 'c0ffee' } },
    ],
    [
      'builds the branch again when the newest release has no build',
      {
        last: release(2, { desiredHash: 'bad', outcome: 'failed' }),
        live: [old],
        isRedeployed: false,
        observed: { built: [1], instances: [instance(1)] },
      },
      { kind: 'release', from: undefined },
    ],
    [
      'builds the branch again after a redeploy was requested',
      {
        last: old,
        live: [old],
        isRedeployed: true,
        observed: { built: [1], instances: [instance(1)] },
      },
      { kind: 'release', from: undefined },
    ],
    [
      'creates a release without a build that does not exist any more',
      {
        desired: { ...desired, values: pinRevision('c0ffee', values) },
        live: [old],
      },
      { kind: 'release', from: undefined },
    ],
    [
      'reuses the build that the release was created from',
      { last: release(5, { from: 1 }), observed: { built: [1], instances: [] } },
      { kind: 'reuse', release: { number: 5 }, from: 1 },
    ],
    [
      'starts a reused build like any other',
      { last: release(5, { from: 1 }), observed: { built: [1, 5], instances: [] } },
      { kind: 'start', release: { number: 5 }, role: 'newest' },
    ],
    [
      'builds when the build to reuse does not exist any more',
      { last: release(5, { from: 1 }) },
      { kind: 'build', release: { number: 5 } },
    ],
    [
      'is settled when only the desired release serves',
      {
        last: live,
        live: [live],
        rotation: runs('i1'),
        observed: { built: [1], instances: [instance(1)] },
      },
      { kind: 'settled' },
    ],
  ])('%s', (_, change, step) => {
    expect(nextStep(planInput(change))).toMatchObject(step);
  });
});
