import { describe, expect, it } from 'vitest';
import type { Pod } from './pod.ts';
import { commandExit } from './run-command.ts';

const AT = '2026-01-02T03:04:05Z';
const NOW = Date.parse(AT) + 60_000;

function podOf(status: Pod['status']): Pod {
  const metadata = { name: 'a', namespace: 'b', uid: 'c', creationTimestamp: AT, labels: {} };
  return { metadata, ...(status === undefined ? {} : { status }) };
}

function ended(exitCode: number, reason = 'Error') {
  const terminated = { exitCode, reason, startedAt: AT, finishedAt: AT };
  return podOf({ containerStatuses: [{ restartCount: 0, ready: false, state: { terminated } }] });
}

/** It should be gone since AT. */
function onLostNode(): Pod {
  const { metadata, ...pod } = podOf({ phase: 'Running' });
  return { ...pod, metadata: { ...metadata, deletionTimestamp: AT } };
}

describe('the exit of a command', () => {
  it.each([
    [ended(0, 'Completed'), { code: 0, signal: undefined }],
    [ended(3), { code: 3, signal: undefined }],
    [ended(137, 'OOMKilled'), { code: undefined, signal: 'SIGKILL', isOutOfMemory: true }],
    [podOf({ phase: 'Running' }), undefined],
    [podOf(undefined), undefined],
  ])('%#', (pod, exit) => {
    expect(commandExit(pod, NOW)).toEqual(exit);
  });

  it.each([undefined, podOf({ phase: 'Failed', reason: 'Evicted' }), onLostNode()])(
    'is a failure of the cluster if the pod was removed: %#',
    (pod) => {
      expect(() => commandExit(pod, NOW)).toThrow('The cluster removed the pod');
    },
  );
});
