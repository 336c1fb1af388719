import { expect, it, onTestFinished, vi } from 'vitest';
import type { ApiRequest, KubernetesApi } from './kubernetes-api.ts';
import { isClusterDown, KubernetesError } from './kubernetes-error.ts';
import type { Pod } from './pod.ts';
import { type WatchEvent as Event, watchList, watchStep } from './watch-list.ts';

type WatchEvent = Event<Pod>;

const LIST = { path: '/api/v1/namespaces/longshore-p/pods', labelSelector: 'a=b' };

function podOf(name: string, resourceVersion = '1'): Pod {
  const metadata = { name, namespace: 'longshore-p', uid: name, creationTimestamp: '', labels: {} };
  return { metadata: { ...metadata, resourceVersion } };
}

it.each<[WatchEvent, unknown]>([
  [
    { type: 'ADDED', object: podOf('one', '7') },
    {
      kind: 'continue',
      resourceVersion: '7',
      change: { item: podOf('one', '7'), isDeleted: false },
    },
  ],
  [
    { type: 'DELETED', object: podOf('one', '8') },
    {
      kind: 'continue',
      resourceVersion: '8',
      change: { item: podOf('one', '8'), isDeleted: true },
    },
  ],
  [
    { type: 'BOOKMARK', object: { metadata: { resourceVersion: '9' } } },
    { kind: 'continue', resourceVersion: '9' },
  ],
  [{ type: 'ERROR', object: { code: 410 } }, { kind: 'list-again' }],
])('after %o', (event, step) => {
  expect(watchStep(event, '1')).toEqual(step);
});

type Watch = WatchEvent[] | Error;

/** Answers each list with the next pods, and each watch with the next events. Then it stays silent. */
function fakeApi(lists: (Pod[] | Error)[], watches: Watch[]) {
  const from: string[] = [];
  const next = <Found>(answers: (Found | Error)[]): Found | undefined => {
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const untilAborted = (signal: AbortSignal) =>
    new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  const api: KubernetesApi = {
    async call<Result>(_method: string, _path: string, { signal }: ApiRequest) {
      const items = next(lists) ?? (await untilAborted(signal));
      return { metadata: { resourceVersion: 'listed' }, items } as Result;
    },
    async follow(_path, { query, signal }) {
      from.push(String(query?.resourceVersion));
      const events = next(watches) ?? (await untilAborted(signal));
      return (async function* () {
        yield Buffer.from(events.map((event) => `${JSON.stringify(event)}\n`).join(''));
      })();
    },
    connect: () => Promise.reject(new Error('not used')),
  };
  return { api, from };
}

const NO_LISTENERS = {
  onList: () => {},
  onChange: () => {},
  onOutdated: () => {},
  onDisconnected: () => {},
  onError: () => {},
};

async function watchUntil(api: KubernetesApi, isDone: (seen: string[]) => boolean) {
  const seen: string[] = [];
  const names = (pods: Pod[]) => pods.map(({ metadata }) => metadata.name).join(' ');
  const stop = watchList<Pod>(
    LIST,
    {
      onList: (pods) => seen.push(`list ${names(pods)}`),
      onChange: (pod, isDeleted) => seen.push(`${isDeleted ? 'deleted' : 'pod'} ${names([pod])}`),
      onOutdated: () => seen.push('outdated'),
      onDisconnected: () => seen.push('disconnected'),
      onError: () => {},
    },
    { api },
  );
  await expect.poll(() => isDone(seen)).toBe(true);
  await stop();
  return seen;
}

it('continues an ended watch after its last event, without a new list', async () => {
  const bookmark: WatchEvent = { type: 'BOOKMARK', object: { metadata: { resourceVersion: '5' } } };
  const added: WatchEvent = { type: 'ADDED', object: podOf('two', '6') };
  const { api, from } = fakeApi([[podOf('one')]], [[bookmark], [added]]);
  expect(await watchUntil(api, () => from.length === 3)).toEqual(['list one', 'pod two']);
  expect(from).toEqual(['listed', '5', '6']);
});

it.each<[string, Watch]>([
  ['in an event', [{ type: 'ERROR', object: { code: 410 } }]],
  ['as a response', new KubernetesError(410, 'too old resource version')],
])('lists again when its version is gone: 410 %s', async (_, gone) => {
  const { api, from } = fakeApi([[podOf('one')], [podOf('two')]], [gone]);
  expect(await watchUntil(api, () => from.length === 2)).toEqual([
    'list one',
    'outdated',
    'list two',
  ]);
});

it('reports nothing as removed while lists fail', async () => {
  const down = new KubernetesError(500, 'etcd is not available');
  const { api, from } = fakeApi([[podOf('one')], down, [podOf('one')]], [down]);
  expect(await watchUntil(api, () => from.length === 2)).toEqual([
    'list one',
    'disconnected',
    'outdated',
    'disconnected',
    'outdated',
    'list one',
  ]);
});

it.each<[string, 'list' | 'watch']>([
  ['a list', 'list'],
  ['events', 'watch'],
])('reports nothing of %s that arrive after it was stopped', async (_, late) => {
  const { api } = fakeApi([[podOf('one')]], []);
  const arriving = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const seen: string[] = [];
  const wait = async () => {
    asked.resolve();
    await arriving.promise;
  };
  const slow: KubernetesApi = {
    ...api,
    async call<Result>() {
      if (late === 'list') await wait();
      return { metadata: { resourceVersion: '1' }, items: [] } as Result;
    },
    follow: async () =>
      (async function* () {
        await wait();
        const events: WatchEvent[] = [
          { type: 'ADDED', object: podOf('two') },
          { type: 'ERROR', object: { code: 410 } },
        ];
        yield Buffer.from(events.map((event) => `${JSON.stringify(event)}\n`).join(''));
      })(),
  };
  const listeners = {
    ...NO_LISTENERS,
    onList: () => seen.push('list'),
    onChange: () => seen.push('change'),
    onOutdated: () => seen.push('outdated'),
  };
  const stop = watchList<Pod>(LIST, listeners, { api: slow });
  await asked.promise;
  const before = [...seen];
  const stopped = stop();
  arriving.resolve();
  await stopped;
  expect(seen).toEqual(before);
});

it('reports a watch without a response as an outage', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { api, from } = fakeApi([[podOf('one')]], []);
  const errors: unknown[] = [];
  const listeners = { ...NO_LISTENERS, onError: (error: unknown) => void errors.push(error) };
  const stop = watchList<Pod>(LIST, listeners, { api });
  await vi.waitUntil(() => from.length === 1);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(errors.map(isClusterDown)).toEqual([true]);
  await stop();
});
