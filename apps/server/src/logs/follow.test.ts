import { expect, it } from 'vitest';
import { APP, BUILD, describeStorages, NAME, type OpenStore } from '../../test/logs/log-fixture.ts';
import type { LogStore, LogStoreDeps } from './log-store.ts';

const neverAborted = new AbortController().signal;

async function follow(store: LogStore, after: number, signal: AbortSignal) {
  const query = { after, tailLines: 0, follow: true, previous: false };
  return (await store.open(APP, query, neverAborted))(signal);
}

/** A reader that takes lines one by one. */
function reader(store: LogStore, after = 0) {
  const client = new AbortController();
  const opening = follow(store, after, client.signal);
  const buffered: string[] = [];
  async function next(): Promise<string | undefined> {
    const batches = await opening;
    while (buffered.length === 0) {
      const { done, value } = await batches.next();
      if (done) return undefined;
      buffered.push(...value.map(({ text }) => text));
    }
    return buffered.shift();
  }
  return { next, disconnect: () => client.abort() };
}

describeStorages('a follower', (open: OpenStore) => {
  async function openStore(limits: LogStoreDeps['limits'] = {}): Promise<LogStore> {
    return (await open({ limits })).store;
  }

  it('reads stored lines, then new ones', async () => {
    const store = await openStore();
    store.append(APP, NAME, 'one');
    await store.flush(APP);
    const { next } = reader(store);
    expect(await next()).toBe('one');
    const waiting = next();
    store.append(APP, NAME, 'two');
    expect(await waiting).toBe('two');
  });

  it('begins after the given sequence number', async () => {
    const store = await openStore();
    for (const text of ['one', 'two', 'three']) store.append(APP, NAME, text);
    await store.flush(APP);
    expect(await reader(store, 2).next()).toBe('three');
  });

  it('waits for the first line of an app', async () => {
    const store = await openStore();
    const waiting = reader(store).next();
    store.append(APP, NAME, 'first');
    expect(await waiting).toBe('first');
  });

  it('reads every line once, in order, across segments and builds, in every reader', async () => {
    const store = await openStore({ segmentBytes: 2_000, segments: 1_000, buildSegments: 1_000 });
    const readers = [reader(store), reader(store), reader(store)];
    const writing = (async () => {
      for (let number = 1; number <= 3_000; number += 1) {
        store.append(APP, number % 3 === 0 ? BUILD : NAME, `${number}`);
        if (number % 50 === 0) await store.flush(APP);
      }
    })();
    const reading = readers.map(async ({ next }) => {
      for (let number = 1; number <= 3_000; number += 1) expect(await next()).toBe(`${number}`);
    });
    await Promise.all([writing, ...reading]);
  });

  it('continues a slow reader at the oldest line that was not deleted', async () => {
    const store = await openStore({ segmentBytes: 200, segments: 3 });
    const { next } = reader(store);
    store.append(APP, NAME, '1');
    expect(await next()).toBe('1');
    for (let number = 2; number <= 100; number += 1) {
      store.append(APP, NAME, `${number}`);
      await store.flush(APP);
    }
    const first = Number(await next());
    expect(first).toBeGreaterThan(2);
    for (let number = first + 1; number <= 100; number += 1) expect(await next()).toBe(`${number}`);
  });

  it('ends when the reader is aborted', async () => {
    const store = await openStore();
    const { next, disconnect } = reader(store);
    const waiting = next();
    disconnect();
    expect(await waiting).toBeUndefined();
  });

  it('ends when the app is removed', async () => {
    const store = await openStore();
    const waiting = reader(store).next();
    await store.remove(APP);
    expect(await waiting).toBeUndefined();
  });

  it('ends after the last line when the store closes', async () => {
    const store = await openStore();
    const { next } = reader(store);
    store.append(APP, NAME, 'last');
    await store.close();
    expect(await next()).toBe('last');
    expect(await next()).toBeUndefined();
  });

  it('removes its abort listeners', async () => {
    const store = await openStore();
    let listeners = 0;
    const { signal } = new AbortController();
    const { addEventListener, removeEventListener } = signal;
    signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
      listeners += 1;
      addEventListener.apply(signal, args);
    };
    signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
      listeners -= 1;
      removeEventListener.apply(signal, args);
    };
    const batches = await follow(store, 0, signal);
    for (const text of ['one', 'two', 'three']) {
      const waiting = batches.next();
      store.append(APP, NAME, text);
      await waiting;
    }
    expect(listeners).toBe(0);
  });
});
