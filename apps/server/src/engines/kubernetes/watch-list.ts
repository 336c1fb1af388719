import { setTimeout as delay } from 'node:timers/promises';
import type { Semaphore } from '../../concurrency/semaphore.ts';
import type { KubernetesDeps } from './deps.ts';
import { clusterDown, hasStatus } from './kubernetes-error.ts';

type Watched = { metadata: { resourceVersion?: string } };

/** `object` of an ERROR is the status of the response. */
export type WatchEvent<Item> =
  | { type: 'ADDED' | 'MODIFIED' | 'DELETED'; object: Item }
  | { type: 'BOOKMARK'; object: { metadata: { resourceVersion: string } } }
  | { type: 'ERROR'; object: { code?: number } };

export type ListListeners<Item> = {
  /** All of them, after each list. */
  onList(items: Item[]): void;
  onChange(item: Item, isDeleted: boolean): void;
  /** What is known may be old until the next list. */
  onOutdated(): void;
  /** The cluster does not respond. */
  onDisconnected(): void;
  onError(error: unknown): void;
};

/** At most, and at least half of it. Shorter than the limit of API servers, which then end a watch by themselves. */
const WATCH_SECONDS = 240;
const LIFETIME_MS = (WATCH_SECONDS + 30) * 1_000;
/** How long the API server may take to begin with a watch. Meanwhile what is known may be old. */
const RESPONSE_MS = 30_000;
const FIRST_PAUSE_MS = 200;
const LAST_PAUSE_MS = 5_000;
const GONE = 410;

/** What to do after an event of a watch. */
export type WatchStep<Item> =
  | { kind: 'continue'; resourceVersion: string; change?: { item: Item; isDeleted: boolean } }
  /** The API server has forgotten the version from which to continue, or failed. */
  | { kind: 'list-again' };

export function watchStep<Item extends Watched>(
  event: WatchEvent<Item>,
  resourceVersion: string,
): WatchStep<Item> {
  if (event.type === 'ERROR') return { kind: 'list-again' };
  const version = event.object.metadata.resourceVersion ?? resourceVersion;
  if (event.type === 'BOOKMARK') return { kind: 'continue', resourceVersion: version };
  const change = { item: event.object, isDeleted: event.type === 'DELETED' };
  return { kind: 'continue', resourceVersion: version, change };
}

export type WatchedList = {
  path: string;
  labelSelector: string;
  /** Limits the lists that are read at the same time. */
  lists?: Semaphore;
};

/** Lists all objects, then watches them. After an error it lists again. Nothing is reported after it is stopped. */
export function watchList<Item extends Watched>(
  { path, labelSelector, lists }: WatchedList,
  listeners: ListListeners<Item>,
  { api, random = Math.random }: Pick<KubernetesDeps, 'api'> & { random?: () => number },
): () => Promise<void> {
  const closing = new AbortController();
  const { signal } = closing;

  async function list(): Promise<string> {
    const release = await lists?.acquire(signal);
    try {
      const query = { labelSelector };
      type Found = { metadata: { resourceVersion: string }; items: Item[] };
      const found = await api.call<Found>('GET', path, { query, signal });
      signal.throwIfAborted();
      listeners.onList(found.items);
      return found.metadata.resourceVersion;
    } finally {
      release?.();
    }
  }

  /** Returns the version to continue from; undefined: list again. */
  async function watch(from: string): Promise<string | undefined> {
    let resourceVersion = from;
    const silence = new AbortController();
    const abort = () => silence.abort(clusterDown(new Error('A watch got no response')));
    let timer = setTimeout(abort, RESPONSE_MS);
    const query = {
      labelSelector,
      watch: true,
      allowWatchBookmarks: true,
      resourceVersion,
      // Not the same for all, or the watches of all projects would end together.
      timeoutSeconds: Math.round(WATCH_SECONDS * (1 - random() / 2)),
    };
    const ended = AbortSignal.any([signal, silence.signal]);
    try {
      const stream = await api.follow(path, { query, signal: ended });
      clearTimeout(timer);
      timer = setTimeout(abort, LIFETIME_MS);
      for await (const event of watchEvents<Item>(stream)) {
        signal.throwIfAborted();
        const step = watchStep(event, resourceVersion);
        if (step.kind === 'list-again') return undefined;
        resourceVersion = step.resourceVersion;
        if (step.change !== undefined) listeners.onChange(step.change.item, step.change.isDeleted);
      }
      return resourceVersion;
    } finally {
      clearTimeout(timer);
    }
  }

  async function run(): Promise<void> {
    let resourceVersion: string | undefined;
    let pauseMs = FIRST_PAUSE_MS;
    while (!signal.aborted) {
      try {
        resourceVersion ??= await list();
        resourceVersion = await watch(resourceVersion);
        pauseMs = FIRST_PAUSE_MS;
      } catch (error) {
        if (signal.aborted) return;
        resourceVersion = undefined;
        if (!hasStatus(error, GONE)) {
          listeners.onError(error);
          listeners.onDisconnected();
        }
        pauseMs = Math.min(pauseMs * 2, LAST_PAUSE_MS);
      }
      if (signal.aborted) return;
      if (resourceVersion === undefined) listeners.onOutdated();
      await delay(pauseMs, undefined, { signal }).catch(() => {});
    }
  }

  const running = run();
  return async () => {
    closing.abort();
    await running;
  };
}

/** One JSON text per line. They are longer than the lines of logs. */
async function* watchEvents<Item>(stream: AsyncIterable<Buffer>): AsyncGenerator<WatchEvent<Item>> {
  let pending = '';
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    const lines = (pending + decoder.decode(chunk, { stream: true })).split('\n');
    pending = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') yield JSON.parse(line) as WatchEvent<Item>;
  }
}
