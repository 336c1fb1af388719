import { describe, expect, it } from 'vitest';
import { LABELS } from './ownership.ts';
import {
  disruptionOf,
  exitCount,
  isOverdue,
  missingRoom,
  type Pod,
  startProblem,
  toInstance,
} from './pod.ts';

const STARTED = '2026-01-02T03:04:05Z';
const RESTARTED = '2026-01-02T03:05:05Z';
const FINISHED = '2026-01-02T03:04:35Z';

type Status = NonNullable<NonNullable<Pod['status']>['containerStatuses']>[number];

function podOf(status: Partial<Status>, labels: Record<string, string> = {}): Pod {
  return {
    metadata: {
      name: 'shop-3-abcdef01-x-y',
      namespace: 'longshore-project',
      uid: 'uid',
      creationTimestamp: '2026-01-02T03:04:00Z',
      labels: {
        [LABELS.app]: '3f2a91c4-7b0e-4d53-9a61-0c2f8e5d1b77',
        [LABELS.project]: 'project',
        [LABELS.name]: 'shop',
        [LABELS.release]: '3',
        [LABELS.port]: '8080',
        [LABELS.instance]: '5',
        ...labels,
      },
    },
    status: {
      podIP: '10.1.2.3',
      startTime: '2026-01-02T03:04:01Z',
      containerStatuses: [{ restartCount: 0, ready: false, ...status }],
    },
  };
}

const terminated = (exitCode: number, reason = 'Error', message = '') => ({
  terminated: { exitCode, reason, message, startedAt: STARTED, finishedAt: FINISHED },
});
const running = (startedAt = STARTED) => ({ running: { startedAt } });
const CRASH_LOOP = { waiting: { reason: 'CrashLoopBackOff' } };
const SERVING = { [LABELS.serving]: 'true' };

describe('a pod as an instance', () => {
  it('has the names, the address and the start of its container', () => {
    expect(toInstance(podOf({ state: running() }))).toEqual({
      id: '5',
      release: 3,
      networkAlias: { projectId: 'project', name: 'shop' },
      isUnprotected: true,
      logName: 'app-3f2a91-5',
      address: { host: '10.1.2.3', port: 8080 },
      startedAt: new Date(STARTED),
      state: { kind: 'running' },
    });
  });

  it.each([
    ['serves beside others', { [LABELS.routed]: 'true' }],
    ['runs another process', { [LABELS.process]: 'worker' }],
  ])('needs no protection when it %s', (_, labels) => {
    expect(toInstance(podOf({ state: running() }, labels))).not.toHaveProperty('isUnprotected');
  });

  it.each<[string, Partial<Status>, Record<string, string>, unknown]>([
    ['has exited', { state: terminated(7) }, {}, { code: 7, signal: undefined }],
    ['waits for a restart', { state: CRASH_LOOP, lastState: terminated(7) }, SERVING, { code: 7 }],
    ['was killed', { state: terminated(137) }, {}, { code: undefined, signal: 'SIGKILL' }],
    ['used up its memory', { state: terminated(137, 'OOMKilled') }, {}, { isOutOfMemory: true }],
    [
      'was restarted before it answered',
      { state: running(), lastState: terminated(7) },
      {},
      { code: 7 },
    ],
  ])('is exited when its container %s', (_, status, labels, exit) => {
    const { state } = toInstance(podOf(status, labels));
    expect(state).toMatchObject({
      kind: 'exited',
      exit: { at: new Date(FINISHED), ...Object(exit) },
    });
  });

  it('is another run when its container was restarted after it answered', () => {
    const status = { restartCount: 1, state: running(RESTARTED), lastState: terminated(7) };
    const instance = toInstance(podOf(status, SERVING));
    expect(instance).toMatchObject({ startedAt: new Date(RESTARTED), state: { kind: 'running' } });
  });

  it('counts how often its container has ended', () => {
    expect(exitCount(podOf({ state: running() }))).toBe(0);
    expect(exitCount(podOf({ state: terminated(1) }))).toBe(1);
    expect(exitCount(podOf({ restartCount: 1, state: CRASH_LOOP }))).toBe(1);
    expect(exitCount(podOf({ restartCount: 1, state: terminated(1) }))).toBe(2);
  });
});

describe('a pod that cannot start', () => {
  const waiting = (reason: string, message = '') => ({ state: { waiting: { reason, message } } });
  it.each<[string, Partial<Status>, string | undefined]>([
    ['is created', waiting('ContainerCreating'), undefined],
    ['runs', { state: running() }, undefined],
    ['crashes', { state: CRASH_LOOP, lastState: terminated(1) }, undefined],
    ['lacks an image', waiting('ErrImagePull', 'a/b:1: not found'), 'image-not-found'],
    ['has a wrong name', waiting('InvalidImageName'), 'image-not-found'],
    [
      'may not pull',
      waiting('ErrImagePull', 'unexpected status 401 Unauthorized'),
      'image-refused',
    ],
    [
      'waits for a registry',
      waiting('ImagePullBackOff', 'dial tcp: timeout'),
      'registry-unreachable',
    ],
    [
      'lacks the platform',
      waiting('ErrImagePull', 'no match for platform in manifest'),
      'image-wrong-architecture',
    ],
    [
      'lacks its program',
      { state: terminated(128, 'StartError', 'exec: "x": executable file not found') },
      'start-command-missing',
    ],
    [
      'lacks its program again',
      { state: CRASH_LOOP, lastState: terminated(128, 'StartError', 'no such file or directory') },
      'start-command-missing',
    ],
    [
      'is of another machine',
      { state: terminated(128, 'StartError', 'exec format error') },
      'image-wrong-architecture',
    ],
  ])('%s', (_, status, reason) => {
    expect(startProblem(podOf(status))?.reason).toBe(reason);
  });

  it.each([
    ['0/2 nodes are available: 2 Insufficient memory.', ['No node has enough free memory']],
    [
      '0/2 nodes: 1 Insufficient cpu, 2 Insufficient memory.',
      ['No node has enough free CPU', 'No node has enough free memory'],
    ],
    ['0/2 nodes are available: 2 node(s) had untolerated taint.', []],
  ])('for want of room: %s', (message, evidence) => {
    const condition = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message };
    const pod = podOf({});
    expect(missingRoom({ ...pod, status: { conditions: [condition] } })).toEqual({
      reason: 'no-room',
      evidence,
    });
    expect(missingRoom(pod)).toBeUndefined();
  });
});

describe('a pod that the cluster takes away', () => {
  const AT = '2026-01-02T03:05:00Z';

  function leaving(reason: string, deletionTimestamp: string | undefined = AT): Pod {
    const { metadata, status } = podOf({ state: running() });
    return {
      metadata: deletionTimestamp === undefined ? metadata : { ...metadata, deletionTimestamp },
      status: { ...status, conditions: [{ type: 'DisruptionTarget', status: 'True', reason }] },
    };
  }

  it.each([
    [leaving('DeletionByTaintManager'), 'its node does not respond'],
    [leaving('EvictionByEvictionAPI'), 'its node is being drained'],
    [leaving('Unknown'), undefined],
    [podOf({ state: running() }), undefined],
  ])('says why: %#', (pod, expected) => {
    expect(disruptionOf(pod)).toBe(expected);
  });

  it('is waited for until half a minute after its deadline', () => {
    const pod = leaving('DeletionByTaintManager');
    expect(isOverdue(pod, Date.parse(AT) + 29_000)).toBe(false);
    expect(isOverdue(pod, Date.parse(AT) + 31_000)).toBe(true);
    expect(isOverdue(podOf({ state: running() }), Date.parse(AT) + 31_000)).toBe(false);
  });
});
