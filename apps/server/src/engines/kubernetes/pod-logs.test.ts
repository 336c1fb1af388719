import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFakeLogSink } from '../../../test/engines/fake-log-sink.ts';
import { createDiskRecords } from '../disk-records.ts';
import type { FirstObservations } from './first-observations.ts';
import type { ApiRequest, KubernetesApi } from './kubernetes-api.ts';
import { clusterDown, KubernetesError } from './kubernetes-error.ts';
import { LABELS } from './ownership.ts';
import type { Pod } from './pod.ts';
import { createPodLogs } from './pod-logs.ts';

const AT = '2026-01-02T03:04:05Z';
const TERMINATED = { exitCode: 1, startedAt: AT, finishedAt: AT };
type State = 'running' | 'terminated';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'longshore-pod-logs-'));
});
afterEach(() => rm(dataDir, { recursive: true }));

function podOf(state: State, restartCount = 0): Pod {
  const labels = { [LABELS.app]: 'shop', [LABELS.instance]: '1' };
  const now = state === 'running' ? { running: { startedAt: AT } } : { terminated: TERMINATED };
  const containerStatuses = [{ restartCount, ready: true, state: now }];
  return {
    metadata: { name: 'shop-1', namespace: 'p', uid: 'u', creationTimestamp: AT, labels },
    status: { phase: 'Running', containerStatuses },
  };
}

/** Line `number` of all runs, as the cluster sends it. */
function entry(number: number): string {
  return `2026-01-02T03:05:${String(number).padStart(2, '0')}.000000000Z line ${number}\n`;
}

const entries = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => entry(from + index)).join('');

/** What follows the text of a stream. */
type End = 'end' | 'open' | Error;

/** A pod whose log is `text`, of the container before it `previous`. Each stream sends the text so far, then ends as `ends` says. */
function fakeCluster(first: Pod, over: FirstObservations['over'] = async () => {}) {
  const cluster = {
    pod: first as Pod | undefined,
    text: '',
    previous: undefined as string | undefined,
    ends: [] as End[],
    streams: 0,
  };
  const api: KubernetesApi = {
    async call<Result>() {
      if (cluster.pod === undefined) throw new KubernetesError(404, 'not found');
      return cluster.pod as Result;
    },
    async follow(_path, { query = {}, signal }: ApiRequest) {
      const text = query.previous === true ? cluster.previous : cluster.text;
      if (text === undefined) throw new KubernetesError(400, 'previous container not found');
      if (query.previous !== true) cluster.streams += 1;
      const end = query.follow === true ? (cluster.ends.shift() ?? 'open') : 'end';
      return stream(since(text, query.sinceTime), end, signal);
    },
    connect: () => Promise.reject(new Error('not used')),
  };
  const lines: string[] = [];
  const errors: unknown[] = [];
  const logs = createFakeLogSink((line) => lines.push(line));
  const records = createDiskRecords(dataDir);
  const deps = { api, logs, records, firstObservations: { over } };
  const podLogs = createPodLogs(deps, (error) => errors.push(error));
  return { cluster, podLogs, lines, errors };
}

/** The cluster rounds down to seconds, which all entries here have. */
function since(text: string, from: unknown): string {
  if (typeof from !== 'string') return text;
  const parts = text.split(/(?<=\n)/);
  return parts.filter((line) => line.slice(0, from.length) >= from).join('');
}

async function* stream(text: string, end: End, signal: AbortSignal): AsyncGenerator<Buffer> {
  if (text !== '') yield Buffer.from(text);
  if (end === 'end') return;
  if (end !== 'open') throw end;
  await new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

const linesUntil = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`);

describe('the log of a pod', () => {
  it.each<[string, End]>([
    ['ends', 'end'],
    ['breaks', clusterDown(new Error('ECONNRESET'))],
  ])('continues after its stream %s, without lost or repeated lines', async (_, end) => {
    const { cluster, podLogs, lines, errors } = fakeCluster(podOf('running'));
    cluster.text = entries(3);
    cluster.ends = [end, clusterDown(new Error('ECONNREFUSED')), end];
    podLogs.follow(podOf('running'));
    await expect.poll(() => lines).toEqual(linesUntil(3));
    cluster.text = entries(6);
    await expect.poll(() => lines, { timeout: 5_000 }).toEqual(linesUntil(6));
    await expect.poll(() => cluster.streams).toBe(4);
    expect(lines).toEqual(linesUntil(6));
    expect(errors).toEqual([]);
    await podLogs.close();
  });

  it('does not contain a line that a stream ended in, until the line is complete', async () => {
    const { cluster, podLogs, lines } = fakeCluster(podOf('running'));
    cluster.text = entries(2).slice(0, -3);
    cluster.ends = ['end', 'end'];
    podLogs.follow(podOf('running'));
    await expect.poll(() => cluster.streams).toBe(2);
    expect(lines).toEqual(linesUntil(1));
    cluster.text = entries(2);
    await expect.poll(() => lines, { timeout: 5_000 }).toEqual(linesUntil(2));
    await podLogs.close();
  });

  it('contains what a container printed after its stream broke, also the end without a line break', async () => {
    const { cluster, podLogs, lines } = fakeCluster(podOf('running'));
    cluster.text = entries(2);
    cluster.ends = ['end'];
    podLogs.follow(podOf('running'));
    await expect.poll(() => lines).toEqual(linesUntil(2));
    cluster.text = entries(4).slice(0, -1);
    cluster.pod = podOf('terminated');
    cluster.ends = ['end', 'end', 'end', 'end'];
    await podLogs.settle(podOf('terminated'));
    await expect.poll(() => lines).toEqual(linesUntil(4));
    await podLogs.close();
  });

  it('continues with the next run of a container whose exit was seen', async () => {
    const { cluster, podLogs, lines } = fakeCluster(podOf('terminated'));
    cluster.text = entries(2);
    await podLogs.settle(podOf('terminated'));
    expect(lines).toEqual(linesUntil(2));
    cluster.pod = podOf('running', 1);
    cluster.previous = entries(3);
    cluster.text = entries(2, 3);
    podLogs.follow(podOf('running', 1));
    await expect.poll(() => lines).toEqual(linesUntil(5));
    await podLogs.close();
  });

  it.each(['known', 'not known yet'])(
    'has all lines of a container that was restarted during an outage, which is %s',
    async (state) => {
      const { cluster, podLogs, lines } = fakeCluster(podOf('running'));
      cluster.text = entries(2);
      cluster.ends = ['end'];
      podLogs.follow(podOf('running'));
      await expect.poll(() => lines).toEqual(linesUntil(2));
      cluster.previous = entries(4);
      cluster.text = entries(2, 4);
      if (state === 'known') {
        cluster.pod = podOf('running', 1);
        podLogs.follow(podOf('running', 1));
      }
      await expect.poll(() => lines, { timeout: 5_000 }).toEqual(linesUntil(6));
      await podLogs.close();
    },
  );

  it('ends with the pod', async () => {
    const { cluster, podLogs, lines, errors } = fakeCluster(podOf('running'));
    cluster.text = entries(1);
    cluster.ends = ['end'];
    cluster.pod = undefined;
    podLogs.follow(podOf('running'));
    await podLogs.finish(podOf('running'));
    expect(lines).toEqual(linesUntil(1));
    expect(cluster.streams).toBe(1);
    expect(errors).toEqual([]);
  });

  it('reports an error of the cluster once, until a stream works again', async () => {
    const { cluster, podLogs, errors } = fakeCluster(podOf('running'));
    const failure = new KubernetesError(500, 'the node does not respond');
    cluster.ends = [failure, failure, 'end', failure, failure];
    podLogs.follow(podOf('running'));
    await expect.poll(() => cluster.streams, { timeout: 10_000 }).toBe(6);
    expect(errors).toEqual([failure, failure]);
    await podLogs.close();
  }, 15_000);

  it('is opened once all apps are observed, and at once if its container has exited or is new', async () => {
    const observed = Promise.withResolvers<void>();
    const until = (signal: AbortSignal) =>
      Promise.race([observed.promise, once(signal, 'abort').then(() => signal.throwIfAborted())]);
    const { cluster, podLogs, lines } = fakeCluster(podOf('terminated'), until);
    cluster.text = entries(2);
    podLogs.follow(podOf('running'));
    const { metadata, ...pod } = podOf('terminated');
    await podLogs.settle({ metadata: { ...metadata, uid: 'exited' }, ...pod });
    expect(lines).toEqual(linesUntil(2));
    expect(cluster.streams).toBe(1);
    podLogs.follow({ metadata: { ...metadata, uid: 'new' }, ...pod }, { isNew: true });
    await expect.poll(() => cluster.streams).toBe(2);
    observed.resolve();
    await expect.poll(() => cluster.streams).toBe(3);
    await podLogs.close();
  });

  it('opens the logs of many pods part by part, and of pods that are being deleted at once', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    try {
      const { cluster, podLogs } = fakeCluster(podOf('running'));
      const { metadata, ...pod } = podOf('running');
      const follow = (number: number, change: Partial<Pod['metadata']> = {}) =>
        podLogs.follow({ metadata: { ...metadata, uid: String(number), ...change }, ...pod });
      for (let number = 0; number < 100; number += 1) follow(number);
      const opened = async (count: number) => {
        while (cluster.streams < count) await setImmediate();
        for (let turn = 0; turn < 20; turn += 1) await setImmediate();
        return cluster.streams;
      };
      expect(await opened(64)).toBe(64);
      follow(99, { deletionTimestamp: AT });
      follow(100, { deletionTimestamp: AT });
      expect(await opened(66)).toBe(66);
      vi.advanceTimersByTime(250);
      expect(await opened(101)).toBe(101);
      await podLogs.close();
    } finally {
      vi.useRealTimers();
    }
  });
});
