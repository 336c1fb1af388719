import { describe, expect, it } from 'vitest';
import { createFakeLogSink } from '../../../test/engines/fake-log-sink.ts';
import { OWNER } from '../../../test/engines/kubernetes/release-fixture.ts';
import type { ReleaseSpec } from '../engine.ts';
import { noSourceCredentials } from '../source-credentials.ts';
import { DEFAULT_LIMITS, type KubernetesDeps } from './deps.ts';
import type { ApiRequest, KubernetesApi } from './kubernetes-api.ts';
import { clusterDown, KubernetesError } from './kubernetes-error.ts';
import { LABELS } from './ownership.ts';
import type { Pod } from './pod.ts';
import { commandExit, createCommandPods } from './run-command.ts';

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

const NAMESPACE = 'longshore-p';
const { signal } = new AbortController();
const DOWN = clusterDown(new Error('ECONNREFUSED'));
const COMMAND = { id: 'release', text: 'migrate', logName: 'log', timeoutMs: 60_000 };
const SPEC: ReleaseSpec = {
  appId: 'shop',
  ownerId: 'ada',
  projectId: 'p',
  name: 'shop',
  number: 1,
  origin: { kind: 'image', image: 'shop' },
  env: {},
  ports: [],
  size: { cpus: 1, memoryBytes: 1024 ** 3, processes: 64 },
};

const RELEASE = {
  metadata: { name: 'release', namespace: NAMESPACE, labels: { [LABELS.release]: '1' } },
  data: { release: JSON.stringify({ image: 'shop', exposedPorts: [], revision: 'r' }) },
};

function commandPod(state: object): Pod {
  return {
    ...podOf({ podIP: '10.0.0.1', containerStatuses: [{ restartCount: 0, ready: false, state }] }),
  };
}

const RUNNING = commandPod({ running: { startedAt: AT } });
const DONE = ended(0, 'Completed');

/** A cluster in which a command can run. Its pod is read and removed with these responses, one after the other; the last one stays. */
function fakeCluster(responses: { read: (Pod | Error)[]; remove: (undefined | Error)[] }) {
  const created: object[] = [];
  let metadata: Pod['metadata'] | undefined;
  let removals = 0;
  const next = <Response>(list: Response[]) => (list.length > 1 ? list.shift() : list[0]);
  const readPod = () => {
    if (metadata === undefined) throw new KubernetesError(404, 'not found');
    const response = next(responses.read);
    if (response instanceof Error) throw response;
    return { ...response, metadata };
  };
  const removePod = () => {
    removals += 1;
    const response = next(responses.remove);
    if (response !== undefined) throw response;
    metadata = undefined;
    return {};
  };
  const respond = (method: string, path: string, { body = {} }: ApiRequest): object => {
    const [, collection = '', name] =
      path.split(`/namespaces/${NAMESPACE}/`)[1]?.match(/^(\w+)\/?(.*)$/) ?? [];
    if (path.endsWith('accessreviews')) return { status: { allowed: true } };
    if (method === 'GET' && collection === 'configmaps') return { items: [RELEASE] };
    if (collection !== 'pods') return { metadata: namespace, items: [{ metadata: namespace }] };
    if (method === 'POST') {
      created.push(body);
      metadata = { ...(body as Pod).metadata, uid: 'c' };
      return { ...body, metadata };
    }
    if (name === '') return { items: metadata === undefined ? [] : [readPod()] };
    if (method === 'DELETE') return removePod();
    return method === 'GET' ? readPod() : {};
  };
  const api = {
    call: async (method: string, path: string, request: ApiRequest) =>
      respond(method, path, request),
    follow: () => Promise.reject(DOWN),
  } as unknown as KubernetesApi;
  const errors: unknown[] = [];
  const deps = {
    api,
    owner: OWNER,
    network: () => ({
      allowedNetworks: [],
      gateway: { kind: 'addresses', addresses: [], ports: [] },
    }),
    logs: createFakeLogSink(() => {}),
    credentials: noSourceCredentials,
    registries: { registry: undefined, mirror: undefined },
    limits: DEFAULT_LIMITS,
    logError: (error: unknown) => errors.push(error),
  } as unknown as KubernetesDeps;
  return { commands: createCommandPods(deps), created, errors, removals: () => removals };
}

const namespace = {
  name: NAMESPACE,
  uid: 'n',
  labels: { [LABELS.installation]: OWNER.installation, [LABELS.project]: 'p' },
};

describe('a command', () => {
  it.each([
    ['the API server is down then', DOWN, 0],
    ['the cluster refuses it', new KubernetesError(500, 'etcd is not available'), 1],
  ])('has its exit code if its pod cannot be removed because %s', async (_, error, reported) => {
    const { commands, created, errors, removals } = fakeCluster({
      read: [RUNNING, DONE],
      remove: [error, undefined],
    });
    await commands.endOld('shop', signal);
    const end = await commands.run({ spec: SPEC, command: COMMAND }, signal);
    expect(end).toEqual({ kind: 'exited', exit: { code: 0, signal: undefined } });
    expect(created).toHaveLength(1);
    expect(errors).toHaveLength(reported);
    // The next look at the app removes it.
    await commands.endOld('shop', signal);
    expect(removals()).toBe(2);
  });

  it.each([
    ['it starts', [DOWN, new KubernetesError(503, 'not ready'), RUNNING, DONE]],
    ['it runs', [RUNNING, DOWN, new KubernetesError(403, 'no roles yet'), RUNNING, DONE]],
  ])(
    'runs once if the API server restarts while %s',
    async (_, read) => {
      const { commands, created } = fakeCluster({ read, remove: [undefined] });
      const end = await commands.run({ spec: SPEC, command: COMMAND }, signal);
      expect(end).toEqual({ kind: 'exited', exit: { code: 0, signal: undefined } });
      expect(created).toHaveLength(1);
    },
    20_000,
  );
});
