import { describe, expect, it } from 'vitest';
import {
  crashed,
  desired,
  instance,
  NOW,
  planInput,
  release,
  runs,
  stepFailed,
  unstarted,
} from '../../test/reconciler/plan-fixtures.ts';
import { nextStep } from './plan.ts';
import type { PlanInput } from './plan-input.ts';

const live = release(1, { outcome: 'live' });
const failed = release(2, { outcome: 'failed' });
const three = { ...desired, replicas: 3 };
const [one, two, other] = ['a', 'b', 'c'].map((id) => instance(1, 'running', id)) as [
  ReturnType<typeof instance>,
  ReturnType<typeof instance>,
  ReturnType<typeof instance>,
];
const ended = (id: string) => instance(1, 'exited', id);
const serving = (...ids: string[]) => ({ rotation: runs(...ids), answered: runs('a', 'b', 'c') });

describe('an app with several instances', () => {
  it.each<[string, Partial<PlanInput>, object]>([
    [
      'starts all instances of a new release',
      { last: release(2), observed: { built: [2], instances: [] } },
      { kind: 'start', release: { number: 2 }, count: 3 },
    ],
    [
      'protects instances that serve, before the missing ones start',
      {
        live: [live],
        last: live,
        ...serving('a', 'b'),
        observed: { built: [1], instances: [one, { ...two, isUnprotected: true }] },
      },
      { kind: 'protect', instances: [{ id: 'b' }] },
    ],
    [
      'protects no instance that does not serve yet',
      {
        live: [live],
        last: live,
        ...serving('a', 'b'),
        observed: { built: [1], instances: [one, two, { ...other, isUnprotected: true }] },
      },
      { kind: 'check', instances: [{ id: 'c' }], traffic: 'join' },
    ],
    [
      'does not wait for a protection that failed',
      {
        live: [live],
        last: live,
        ...serving('a', 'b'),
        observed: { built: [1], instances: [one, { ...two, isUnprotected: true }] },
        protectAt: NOW + 1_000,
      },
      { kind: 'start', count: 1 },
    ],
    [
      'does not protect a single instance',
      {
        desired: { ...desired, replicas: 1 },
        live: [live],
        last: live,
        ...serving('a'),
        observed: { built: [1], instances: [{ ...one, isUnprotected: true }] },
      },
      { kind: 'settled' },
    ],
    [
      'starts those that an interrupted pass did not start',
      { last: release(2), observed: { built: [2], instances: [instance(2)] } },
      { kind: 'start', release: { number: 2 }, count: 2 },
    ],
    [
      'switches the traffic when all instances of a new release have answered',
      {
        live: [live],
        last: release(2),
        ...serving('a', 'b', 'c'),
        observed: {
          built: [1, 2],
          instances: [one, two, other, ...['x', 'y', 'z'].map((id) => instance(2, 'running', id))],
        },
      },
      { kind: 'check', instances: [{ id: 'x' }, { id: 'y' }, { id: 'z' }], traffic: 'switch' },
    ],
    [
      'does not switch the traffic while an instance of a new release waits for its restart',
      {
        live: [live],
        last: release(2),
        ...serving('a', 'b', 'c'),
        observed: {
          built: [1, 2],
          instances: [one, two, other, instance(2), instance(2, 'exited', 'x')],
        },
        desired: { ...three, replicas: 2 },
        retry: crashed('x', NOW + 50),
      },
      { kind: 'stop', instances: [{ id: 'c' }], progress: undefined },
    ],
    [
      'starts what is missing when it is scaled up',
      { ...serving('a'), observed: { built: [1], instances: [one] } },
      { kind: 'start', release: { number: 1 }, role: 'newest', count: 2 },
    ],
    [
      'adds new instances one by one to those that serve',
      { ...serving('a'), observed: { built: [1], instances: [one, two, other] } },
      { kind: 'check', instances: [{ id: 'b' }, { id: 'c' }], traffic: 'join' },
    ],
    [
      'stops the newest instance when it is scaled down',
      {
        desired: { ...desired, replicas: 2 },
        ...serving('a', 'b', 'c'),
        observed: { built: [1], instances: [one, two, other] },
      },
      { kind: 'stop', instances: [{ id: 'c' }], progress: 'live' },
    ],
    [
      'rather stops an instance that does not serve',
      {
        desired: { ...desired, replicas: 2 },
        ...serving('b', 'c'),
        observed: { built: [1], instances: [one, two, other] },
      },
      { kind: 'stop', instances: [{ id: 'a' }] },
    ],
    [
      'counts the exit of an instance while the others serve',
      { ...serving('a', 'b'), observed: { built: [1], instances: [one, two, ended('c')] } },
      { kind: 'crashed', instance: { id: 'c' }, othersServe: true },
    ],
    [
      'counts an instance that never answered as a failure',
      {
        rotation: runs('a', 'b'),
        answered: runs('a', 'b'),
        observed: { built: [1], instances: [one, two, ended('c')] },
      },
      { kind: 'crashed', instance: { id: 'c' }, othersServe: false },
    ],
    [
      'counts the exit of the last one that served as a failure',
      { ...serving(), observed: { built: [1], instances: [ended('a'), ended('b'), ended('c')] } },
      { kind: 'crashed', instance: { id: 'a' }, othersServe: false },
    ],
    [
      'starts nothing in place of an instance before its pause is over',
      {
        ...serving('a', 'b'),
        observed: { built: [1], instances: [one, two, ended('c')] },
        retry: crashed('c', NOW + 300),
      },
      { kind: 'wait', until: NOW + 300 },
    ],
    [
      'removes it after its pause',
      {
        ...serving('a', 'b'),
        observed: { built: [1], instances: [one, two, ended('c')] },
        retry: crashed('c', NOW),
      },
      { kind: 'stop', instances: [{ id: 'c' }] },
    ],
    [
      'does not wait for it before others take traffic',
      {
        ...serving('a'),
        observed: { built: [1], instances: [one, two, ended('c')] },
        retry: crashed('c', NOW + 300),
      },
      { kind: 'check', instances: [{ id: 'b' }], traffic: 'join' },
    ],
    [
      'counts the exit of an instance while another one could not be started',
      {
        ...serving('a'),
        observed: { built: [1], instances: [one, ended('b')] },
        retry: unstarted(1, NOW + 300),
      },
      { kind: 'crashed', instance: { id: 'b' }, othersServe: true },
    ],
    [
      'counts the exit of an instance while old builds cannot be removed',
      {
        ...serving('a', 'b'),
        observed: { built: [0, 1], instances: [one, two, ended('c')] },
        retry: stepFailed('prune', NOW + 300),
      },
      { kind: 'crashed', instance: { id: 'c' }, othersServe: true },
    ],
    [
      'replaces it, but not the one that could not be started',
      {
        ...serving('a'),
        observed: { built: [1], instances: [one] },
        retry: unstarted(1, NOW + 300),
      },
      { kind: 'start', count: 1, othersServe: true },
    ],
    [
      'waits before it starts that one again',
      {
        ...serving('a', 'b'),
        observed: { built: [1], instances: [one, two] },
        retry: unstarted(1, NOW + 300),
      },
      { kind: 'wait', until: NOW + 300 },
    ],
    [
      'starts that one again after its pause',
      {
        ...serving('a', 'b'),
        observed: { built: [1], instances: [one, two] },
        retry: unstarted(1, NOW),
      },
      { kind: 'start', count: 1 },
    ],
    [
      'does not check an instance again that did not answer',
      {
        ...serving('a', 'b'),
        observed: { built: [1], instances: [one, two, other] },
        retry: crashed('c', NOW + 300),
      },
      { kind: 'wait', until: NOW + 300 },
    ],
    [
      'replaces an instance that did not answer after its pause',
      {
        ...serving('a', 'b'),
        observed: { built: [1], instances: [one, two, other] },
        retry: crashed('c', NOW),
      },
      { kind: 'stop', instances: [{ id: 'c' }] },
    ],
    [
      'replaces the first instance, if it did not answer, before it starts the others',
      {
        observed: { built: [1], instances: [one] },
        retry: crashed('a', NOW + 300),
      },
      { kind: 'wait', until: NOW + 300 },
    ],
    [
      'checks all instances together after a server restart, and serves with each that answers',
      { observed: { built: [1], instances: [one, two, other] } },
      { kind: 'check', instances: [{ id: 'a' }, { id: 'b' }, { id: 'c' }], traffic: 'join' },
    ],
    [
      'has nothing to do while they are checked',
      { observed: { built: [1], instances: [one, two, other] }, checking: runs('a', 'b', 'c') },
      { kind: 'checking' },
    ],
    [
      'counts the exit of an instance while another one is checked',
      {
        ...serving('a'),
        observed: { built: [1], instances: [one, ended('b'), other] },
        checking: runs('c'),
      },
      { kind: 'crashed', instance: { id: 'b' }, othersServe: true },
    ],
    [
      'starts its replacement while another one is checked',
      {
        ...serving('a'),
        observed: { built: [1], instances: [one, other] },
        checking: runs('c'),
      },
      { kind: 'start', count: 1 },
    ],
    [
      'checks its replacement beside the other one',
      {
        ...serving('a'),
        observed: { built: [1], instances: [one, two, other] },
        checking: runs('c'),
      },
      { kind: 'check', instances: [{ id: 'b' }], traffic: 'join' },
    ],
    [
      'does not miss the end of a pause while another one is checked',
      {
        ...serving('a'),
        observed: { built: [1], instances: [one, ended('b'), other] },
        checking: runs('c'),
        retry: crashed('b', NOW + 300),
      },
      { kind: 'wait', until: NOW + 300 },
    ],
    [
      'does not start the others while the first one of an app that wakes is checked',
      { observed: { built: [1], instances: [one] }, checking: runs('a') },
      { kind: 'checking' },
    ],
    [
      'does not wait for the fallback that is checked before it builds the newest release',
      {
        last: release(2),
        live: [live],
        ...serving('a', 'b'),
        observed: { built: [1], instances: [one, two, other] },
        checking: runs('c'),
      },
      { kind: 'build', release: { number: 2 } },
    ],
    [
      'lets the first instance serve before it starts the others when it wakes',
      { observed: { built: [1], instances: [] } },
      { kind: 'start', count: 1 },
    ],
    [
      'starts none of them before the pause of the first one is over',
      {
        answered: runs('a'),
        observed: { built: [1], instances: [ended('a')] },
        retry: crashed('a', NOW + 300),
      },
      { kind: 'wait', until: NOW + 300 },
    ],
    [
      'replaces all instances that their owner asked to replace',
      {
        desired: { ...three, replacedInstances: ['app-a', 'app-b', 'app-c'] },
        ...serving('a', 'b', 'c'),
        observed: { built: [1], instances: [one, two, other] },
      },
      { kind: 'start', count: 3 },
    ],
    [
      'stops an unhealthy instance before its replacement starts, if another one passes its check',
      {
        desired: { ...three, unhealthyInstances: ['app-b'] },
        passingInstances: ['app-c'],
        ...serving('a', 'b', 'c'),
        observed: { built: [1], instances: [one, two, other] },
      },
      { kind: 'stop', instances: [{ id: 'b' }], progress: undefined },
    ],
    [
      'starts the replacement of an unhealthy instance first, if no other one passes its check',
      {
        desired: { ...three, unhealthyInstances: ['app-b'] },
        ...serving('a', 'b', 'c'),
        observed: { built: [1], instances: [one, two, other] },
      },
      { kind: 'start', count: 1 },
    ],
    [
      'stops an unhealthy instance of the fallback, if another one passes its check',
      {
        desired: { ...three, unhealthyInstances: ['app-b'] },
        passingInstances: ['app-a', 'app-c'],
        last: failed,
        live: [live],
        ...serving('a', 'b', 'c'),
        observed: { built: [1], instances: [one, two, other] },
      },
      { kind: 'stop', instances: [{ id: 'b' }], progress: undefined },
    ],
    [
      'restarts an instance of the fallback while the newest release has failed',
      {
        last: failed,
        live: [live],
        ...serving('a', 'b'),
        observed: { built: [1], instances: [one, two] },
      },
      { kind: 'start', release: { number: 1 }, role: 'fallback', count: 1 },
    ],
    [
      'stops instances of the fallback that are too many',
      {
        desired: { ...desired, replicas: 1 },
        last: failed,
        live: [live],
        ...serving('a', 'b'),
        observed: { built: [1], instances: [one, two] },
      },
      { kind: 'stop', instances: [{ id: 'b' }], progress: undefined },
    ],
    [
      'stops all of them when it hibernates',
      {
        desired: { ...three, instances: 0 },
        ...serving('a', 'b', 'c'),
        observed: { built: [1], instances: [one, two, other] },
      },
      { kind: 'stop', instances: [{ id: 'a' }, { id: 'b' }, { id: 'c' }], progress: 'stopping' },
    ],
    [
      'is settled when all of them serve',
      { ...serving('a', 'b', 'c'), observed: { built: [1], instances: [one, two, other] } },
      { kind: 'settled' },
    ],
  ])('%s', (_, change, step) => {
    const input = planInput({ desired: three, last: live, live: [live], ...change });
    expect(nextStep(input)).toMatchObject(step);
  });
});
