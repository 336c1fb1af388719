import { setImmediate as nextEventLoopTurn } from 'node:timers/promises';
import { containsText, type LogFilter } from '@longshore/contract';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { APP, BUILD, describeStorages, NAME } from '../../test/logs/log-fixture.ts';
import type { LogStore } from './log-store.ts';

const neverAborted = new AbortController().signal;
const SECOND_BUILD = 'app-3f2a91-build-2';

/** The sequence numbers of all hits, page by page, newest first. */
async function searchAll(store: LogStore, search: LogFilter & { text: string }, limit = 1_000) {
  const found: number[] = [];
  let before: number | undefined;
  for (;;) {
    const page = await store.search(APP, { ...search, before, limit }, neverAborted);
    found.push(...page.hits.map(({ sequence }) => sequence));
    if (page.next === undefined) return found;
    expect(page.next).toBeLessThan(before ?? Number.POSITIVE_INFINITY);
    before = page.next;
  }
}

/** A clock of which every reading is a second later, so that every page ends after its first window. */
function hurriedClock(startMs = 0) {
  let now = startMs;
  return {
    now() {
      now += 1_000;
      return now;
    },
  };
}

describeStorages('a search', (openStore) => {
  it('finds, over all pages, exactly the kept lines that a plain filter finds', async () => {
    const word = fc.constantFrom('error', 'ERROR', '\u001b[31mer\u001b[0mror', 'ok', 'İ', '.*', '');
    const line = fc.record({
      name: fc.constantFrom(NAME, BUILD, SECOND_BUILD),
      text: fc.array(word, { maxLength: 3 }).map((words) => words.join(' ')),
    });
    const filter = fc.record(
      {
        kind: fc.constantFrom('app' as const, 'build' as const),
        release: fc.constantFrom(1, 2),
        from: fc.nat(40).map((second) => new Date(second * 1_000).toISOString()),
        to: fc.nat(40).map((second) => new Date((40 + second) * 1_000).toISOString()),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 60 }),
        filter,
        fc.constantFrom('error', 'r o', 'k', '.*', 'İ', 'i'),
        fc.integer({ min: 1, max: 5 }),
        async (lines, filter, text, limit) => {
          const { store, read } = await openStore({
            clock: hurriedClock(),
            limits: { segmentBytes: 300, segments: 3, buildSegments: 2 },
          });
          for (const { name, text } of lines) {
            store.append(APP, name, text);
            await store.flush(APP);
          }
          const { kind, release, from, to } = filter;
          const expected = (await read({ kind, release }))
            .filter(({ at }) => from === undefined || at >= Date.parse(from))
            .filter(({ at }) => to === undefined || at <= Date.parse(to))
            .filter((record) => containsText(record.text, text))
            .map(({ sequence }) => sequence);
          expect(await searchAll(store, { ...filter, text }, limit)).toEqual(expected.reverse());
          await store.close();
        },
      ),
      { numRuns: 60 },
    );
  }, 30_000);

  it('finds a text in many windows of many segments', async () => {
    const { store } = await openStore();
    const expected: number[] = [];
    for (let number = 1; number <= 30_000; number += 1) {
      const isHit = number % 997 === 0;
      if (isHit) expected.unshift(number);
      store.append(APP, NAME, `${isHit ? 'Needle' : 'hay'} ${'x'.repeat(80)}`);
      if (number % 1_000 === 0) await store.waitForRoom(APP);
    }
    expect(await searchAll(store, { text: 'needle' })).toEqual(expected);
  });

  it('continues while segments are deleted, without losing or repeating a line that is kept', async () => {
    const { store, read } = await openStore({
      clock: hurriedClock(),
      limits: { segmentBytes: 2_000, segments: 4 },
    });
    for (let number = 1; number <= 300; number += 1) store.append(APP, NAME, `needle ${number}`);
    const first = await store.search(APP, { text: 'needle', limit: 20 }, neverAborted);
    for (let number = 301; number <= 400; number += 1) store.append(APP, NAME, `needle ${number}`);
    await store.flush(APP);
    const kept = (await read()).map(({ sequence }) => sequence);
    const rest: number[] = [];
    for (let before = first.next; before !== undefined; ) {
      const page = await store.search(APP, { text: 'needle', before, limit: 20 }, neverAborted);
      rest.push(...page.hits.map(({ sequence }) => sequence));
      before = page.next;
    }
    const until = first.next ?? 0;
    expect(rest).toEqual(kept.filter((sequence) => sequence < until).reverse());
  });

  it('leaves out lines that arrive while it searches', async () => {
    const { store } = await openStore();
    for (let number = 1; number <= 2_000; number += 1) store.append(APP, NAME, 'needle');
    const page = store.search(APP, { text: 'needle', limit: 1_000 }, neverAborted);
    let isSearching = true;
    onTestFinished(() => {
      isSearching = false;
    });
    const append = async () => {
      while (isSearching) {
        store.append(APP, NAME, 'needle');
        await nextEventLoopTurn();
      }
    };
    const appending = append();
    const { until, hits } = await page;
    isSearching = false;
    await appending;
    expect(hits[0]?.sequence).toBe(until - 1);
    expect(hits.at(-1)?.sequence).toBe(until - 1_000);
  });

  it('ends a page after a while, with the position where the next one begins', async () => {
    const { store } = await openStore({ clock: hurriedClock() });
    for (let number = 1; number <= 3_000; number += 1) store.append(APP, NAME, 'x'.repeat(100));
    const page = await store.search(APP, { text: 'needle', limit: 10 }, neverAborted);
    expect(page).toMatchObject({ hits: [], until: 3_001, oldest: 1 });
    expect(page.next).toBeGreaterThan(1);
    expect(page.next).toBeLessThan(3_000);
    expect(await searchAll(store, { text: 'needle' })).toEqual([]);
  });

  it('stops when its client disconnects', async () => {
    const { store } = await openStore();
    for (let number = 1; number <= 3_000; number += 1) store.append(APP, NAME, 'x'.repeat(100));
    const search = { text: 'needle', limit: 10 };
    await expect(store.search(APP, search, AbortSignal.abort(new Error('gone')))).rejects.toThrow(
      'gone',
    );
  });
});
