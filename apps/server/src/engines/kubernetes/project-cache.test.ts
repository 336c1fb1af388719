import { expect, it } from 'vitest';
import type { Namespace } from './namespace.ts';
import { createOwnChanges } from './own-changes.ts';
import type { Pod } from './pod.ts';
import { createProjectCache } from './project-cache.ts';

const { signal } = new AbortController();

function namespaceOf(name: string, apps: string[], deletionTimestamp?: string): Namespace {
  const labels = Object.fromEntries(apps.map((app) => [`app.dev.longshore/${app}`, '']));
  const metadata = { name, uid: `uid-${name}`, resourceVersion: '1', creationTimestamp: '' };
  const deletion = deletionTimestamp === undefined ? {} : { deletionTimestamp };
  return {
    metadata: { ...metadata, ...deletion, labels: { ...labels, 'dev.longshore/project': name } },
  };
}

function podOf(uid: string, app: string, namespace: string, resourceVersion = '1'): Pod {
  const labels = { 'dev.longshore/app': app };
  return {
    metadata: { name: uid, namespace, uid, resourceVersion, creationTimestamp: '', labels },
  };
}

/** Two apps in one project, and one of them in a second one. */
function listedCache() {
  const changes = createOwnChanges();
  const cache = createProjectCache(changes);
  cache.listNamespaces([namespaceOf('one', ['shop', 'blog']), namespaceOf('two', ['shop'])]);
  cache.listPods('one', [podOf('a', 'shop', 'one'), podOf('b', 'blog', 'one')]);
  cache.listPods('two', [podOf('c', 'shop', 'two')]);
  const uids = (app: string) => cache.podsOf(app)?.map(({ metadata }) => metadata.uid);
  return { changes, cache, uids };
}

it('knows the pods of an app in all its namespaces, and their changes', () => {
  const { cache, uids } = listedCache();
  expect(uids('shop')).toEqual(['a', 'c']);
  cache.setPod(podOf('d', 'shop', 'two'), false);
  cache.setPod(podOf('a', 'shop', 'one'), true);
  expect(uids('shop')).toEqual(['c', 'd']);
  expect(uids('unknown')).toEqual([]);
});

it('knows nothing of namespaces that are removed', () => {
  const { cache, uids } = listedCache();
  cache.setNamespace(namespaceOf('two', ['shop'], 'now'), false);
  expect(uids('shop')).toEqual(['a']);
  cache.setNamespace(namespaceOf('one', ['shop', 'blog']), true);
  expect(uids('shop')).toEqual([]);
});

it('knows nothing while a list is old, and nothing of other namespaces is lost', () => {
  const { cache, uids } = listedCache();
  cache.setOutdated('two');
  expect(uids('shop')).toBeUndefined();
  expect(uids('blog')).toEqual(['b']);
  cache.setFailed('two');
  cache.setOutdated('two');
  expect(uids('shop')).toBeUndefined();
  cache.listPods('two', []);
  expect(uids('shop')).toEqual(['a']);
  cache.setOutdated(undefined);
  expect(cache.namespacesOf('blog')).toBeUndefined();
  expect(uids('blog')).toBeUndefined();
});

it('waits for a list that is being read, but not for one that has failed', async () => {
  const { cache } = listedCache();
  cache.setOutdated('two');
  let hasEnded = false;
  const waiting = cache.whenListed('shop', signal).then(() => {
    hasEnded = true;
  });
  await cache.whenListed('blog', signal);
  expect(hasEnded).toBe(false);
  cache.setFailed('two');
  await waiting;
  await cache.whenListed('shop', signal);
});

it('stops waiting for a list on abort', async () => {
  const { cache } = listedCache();
  cache.setOutdated('two');
  const aborting = new AbortController();
  const waiting = cache.whenListed('shop', aborting.signal);
  aborting.abort(new Error('stopped'));
  await expect(waiting).rejects.toThrow();
});

it('knows an app that this server changes only after the watch has reported the same pods', async () => {
  const { changes, cache, uids } = listedCache();
  await changes.during('shop', async () => expect(uids('shop')).toBeUndefined());
  expect(uids('shop')).toBeUndefined();
  const read = [podOf('a', 'shop', 'one', '2'), podOf('c', 'shop', 'two')];
  cache.confirm('shop', read, changes.version('shop'));
  expect(uids('shop')).toBeUndefined();
  cache.setPod(podOf('a', 'shop', 'one', '2'), false);
  cache.confirm('shop', read, changes.version('shop'));
  expect(uids('shop')).toEqual(['a', 'c']);
});

it('does not take pods for current that were read before a change', async () => {
  const { changes, cache, uids } = listedCache();
  const version = changes.version('shop');
  const read = [podOf('a', 'shop', 'one'), podOf('c', 'shop', 'two')];
  await changes.during('shop', async () => {});
  cache.confirm('shop', read, version);
  expect(uids('shop')).toBeUndefined();
});

it('knows the namespace that this server brings an app into before the watch reports it', () => {
  const { cache } = listedCache();
  const names = () => cache.namespacesOf('blog')?.map(({ name }) => name);
  cache.enter('blog', 'two');
  expect(names()).toEqual(['one', 'two']);
  cache.leave('blog', 'two');
  expect(names()).toEqual(['one']);
});
