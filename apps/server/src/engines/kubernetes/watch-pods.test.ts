import { expect, it } from 'vitest';
import { OWNER } from '../../../test/engines/kubernetes/release-fixture.ts';
import type { ApiRequest, KubernetesApi } from './kubernetes-api.ts';
import { KubernetesError } from './kubernetes-error.ts';
import { createOwnChanges } from './own-changes.ts';
import { createProjectCache } from './project-cache.ts';
import { watchPods } from './watch-pods.ts';

const NAMESPACES = '/api/v1/namespaces';
const podsIn = (name: string) => `${NAMESPACES}/${name}/pods`;

function namespaceOf(name: string, app: string | undefined, deletionTimestamp?: string) {
  const project = { 'dev.longshore/project': name };
  const labels = app === undefined ? project : { ...project, [`app.dev.longshore/${app}`]: '' };
  return { metadata: { name, labels, ...(deletionTimestamp && { deletionTimestamp }) } };
}

const podOf = (name: string) => ({
  metadata: { name, namespace: 'longshore-a', uid: name, labels: { 'dev.longshore/app': 'one' } },
});

type Event = { type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'ERROR'; object: object };

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
}

/** Lists what `lists` has of a path. Watches of namespaces deliver what `send` is called with. */
function fakeApi(lists: Record<string, object[] | Error | 'silent'>) {
  const watched: string[] = [];
  const ended: string[] = [];
  const { readable, writable } = new TransformStream<Buffer, Buffer>();
  const writer = writable.getWriter();
  const api: KubernetesApi = {
    async call<Result>(_method: string, path: string, { signal }: ApiRequest) {
      const items = lists[path] ?? [];
      if (items === 'silent') return await untilAborted(signal);
      if (items instanceof Error) throw items;
      return { metadata: { resourceVersion: '1' }, items } as Result;
    },
    async follow(path, { signal }) {
      watched.push(path);
      signal.addEventListener('abort', () => ended.push(path));
      if (path === NAMESPACES) return readable.values({ preventCancel: true });
      return await untilAborted(signal);
    },
    connect: () => Promise.reject(new Error('not used')),
  };
  const send = (event: Event) => writer.write(Buffer.from(`${JSON.stringify(event)}\n`));
  return { api, watched, ended, send, close: () => writer.close() };
}

function watch(api: KubernetesApi) {
  const seen: string[] = [];
  const errors: unknown[] = [];
  const cache = createProjectCache(createOwnChanges());
  const stop = watchPods(
    { api, owner: OWNER, cache },
    {
      onList: (namespace, pods) => seen.push(`${namespace}: ${pods.length}`),
      onPod: () => {},
      onDisconnected: (namespace) => seen.push(`${namespace}: disconnected`),
      onError: (error) => errors.push(error),
    },
  );
  return { cache, seen, errors, stop };
}

it('watches the namespaces once, and the pods once in each with an app', async () => {
  const { api, watched, send, close } = fakeApi({
    [NAMESPACES]: [
      namespaceOf('longshore-a', 'one'),
      namespaceOf('longshore-empty', undefined),
      { metadata: { name: 'longshore-build-ada', labels: { 'app.dev.longshore/one': '' } } },
    ],
    [podsIn('longshore-a')]: [podOf('one'), podOf('two')],
  });
  const { seen, stop } = watch(api);
  await expect.poll(() => seen).toEqual(['longshore-a: 2']);
  await send({ type: 'ADDED', object: namespaceOf('longshore-b', undefined) });
  await send({ type: 'MODIFIED', object: namespaceOf('longshore-b', 'two') });
  await send({ type: 'MODIFIED', object: namespaceOf('longshore-b', 'three') });
  await expect.poll(() => seen).toEqual(['longshore-a: 2', 'longshore-b: 0']);
  await expect.poll(() => watched).toHaveLength(3);
  expect(watched.sort()).toEqual([NAMESPACES, podsIn('longshore-a'), podsIn('longshore-b')]);
  await close();
  await stop();
});

it.each<[string, Event]>([
  ['is being removed', { type: 'MODIFIED', object: namespaceOf('longshore-a', 'one', 'now') }],
  ['is gone', { type: 'DELETED', object: namespaceOf('longshore-a', 'one') }],
])('ends the watch of a namespace that %s, and reports its pods as gone', async (_, event) => {
  const { api, ended, watched, send, close } = fakeApi({
    [NAMESPACES]: [namespaceOf('longshore-a', 'one')],
    [podsIn('longshore-a')]: [podOf('one')],
  });
  const { seen, stop } = watch(api);
  await expect.poll(() => watched).toContain(podsIn('longshore-a'));
  await send(event);
  await expect.poll(() => seen).toEqual(['longshore-a: 1', 'longshore-a: 0']);
  await expect.poll(() => ended).toContain(podsIn('longshore-a'));
  await close();
  await stop();
});

it.each<[string, object[] | 'silent']>([
  ['has listed', [podOf('one')]],
  ['is still listing', 'silent'],
])(
  'knows nothing of a namespace whose pods it %s and that is missing in the next list',
  async (_, pods) => {
    const lists: Record<string, object[] | 'silent'> = {
      [NAMESPACES]: [namespaceOf('longshore-a', 'one')],
      [podsIn('longshore-a')]: pods,
    };
    const { api, watched, send, close } = fakeApi(lists);
    const { cache, seen, stop } = watch(api);
    await expect.poll(() => watched).toContain(NAMESPACES);
    if (pods !== 'silent') await expect.poll(() => seen).toEqual(['longshore-a: 1']);
    // As after this server has started the app.
    cache.enter('one', 'longshore-a');
    const listed = cache.whenListed('one', new AbortController().signal);
    lists[NAMESPACES] = [];
    await send({ type: 'ERROR', object: { code: 410 } });
    await expect.poll(() => seen.at(-1)).toBe('longshore-a: 0');
    await listed;
    expect(cache.podsOf('one')).toBeUndefined();
    await close();
    await stop();
  },
);

it('reports a namespace that cannot be read', async () => {
  const lists = {
    [NAMESPACES]: [namespaceOf('longshore-a', 'one')],
    [podsIn('longshore-a')]: new KubernetesError(500, 'etcd is not available'),
  };
  const { api, close } = fakeApi(lists);
  const { seen, errors, stop } = watch(api);
  await expect.poll(() => seen).toContain('longshore-a: disconnected');
  expect(new Set(errors)).toEqual(new Set([lists[podsIn('longshore-a')]]));
  await close();
  await stop();
});

it('reports once that its rights in a namespace are missing, unless they just end', async () => {
  const refused = new KubernetesError(403, 'forbidden');
  const lists = {
    [NAMESPACES]: [namespaceOf('longshore-a', 'one')],
    [podsIn('longshore-a')]: refused,
  };
  const { api, close } = fakeApi(lists);
  const { seen, errors, stop } = watch(api);
  await expect.poll(() => errors, { timeout: 20_000 }).toEqual([refused]);
  const refusals = seen.filter((text) => text === 'longshore-a: disconnected');
  expect(refusals.length).toBeGreaterThanOrEqual(3);
  await close();
  await stop();
}, 30_000);
