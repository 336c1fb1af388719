import { createSimulatedClock } from '@longshore/testkit';
import { describe, expect, it } from 'vitest';
import type { LiveResult } from './live-result.ts';
import { createSharedQuery } from './shared-query.ts';

const OUTAGE = failure('unexpected');

function failure(code: string): object {
  return { errors: [{ message: code, extensions: { code, path: '$' } }] };
}

/** A query on rows that can be changed. Each execution takes 10 ms. */
function shared(first: object = { data: 0 }) {
  const clock = createSimulatedClock(0);
  const runs: number[] = [];
  let rows = first;
  const query = createSharedQuery({
    clock,
    schedule: (work) => void work(),
    execute: () => {
      const result = JSON.stringify(rows);
      runs.push(clock.now());
      return new Promise((resolve) => clock.setTimeout(() => resolve(result), 10));
    },
  });
  const subscribe = () => {
    const results: unknown[] = [];
    const subscriber = (result: LiveResult) => void results.push(JSON.parse(result.text));
    query.add(subscriber);
    return { results, subscriber };
  };
  const change = (next: object) => {
    rows = next;
    query.invalidate();
  };
  return { clock, query, subscribe, change, runs };
}

it('sends the result at once, and again after a change', async () => {
  const { clock, subscribe, change } = shared();
  const { results } = subscribe();
  await clock.advance(10);
  expect(results).toEqual([{ data: 0 }]);
  change({ data: 1 });
  await clock.advance(100);
  expect(results).toEqual([{ data: 0 }, { data: 1 }]);
});

it('sends nothing if a change does not alter the result', async () => {
  const { clock, subscribe, change, runs } = shared();
  const { results } = subscribe();
  await clock.advance(50);
  change({ data: 0 });
  await clock.advance(50);
  expect(runs).toHaveLength(2);
  expect(results).toEqual([{ data: 0 }]);
});

it('executes once for all subscribers and sends them the same text', async () => {
  const { clock, query, runs } = shared();
  const texts: string[] = [];
  for (let count = 0; count < 100; count += 1) query.add(({ text }) => void texts.push(text));
  await clock.advance(100);
  expect(runs.length).toBeLessThanOrEqual(2);
  expect(texts).toEqual(Array(100).fill('{"data":0}'));
});

it('sends a new subscriber the current result, and nothing to those who have it', async () => {
  const { clock, subscribe } = shared();
  const early = subscribe();
  await clock.advance(100);
  const late = subscribe();
  await clock.advance(100);
  expect([early.results, late.results]).toEqual([[{ data: 0 }], [{ data: 0 }]]);
});

it('executes again after a change during an execution', async () => {
  const { clock, subscribe, change } = shared();
  const { results } = subscribe();
  await clock.advance(5);
  change({ data: 1 });
  await clock.advance(100);
  expect(results).toEqual([{ data: 0 }, { data: 1 }]);
});

it('combines a burst of changes into few executions, and ends with the last change', async () => {
  const { clock, subscribe, change, runs } = shared();
  const { results } = subscribe();
  for (let row = 1; row <= 1_000; row += 1) {
    change({ data: row });
    await clock.advance(1);
  }
  await clock.advance(100);
  expect(results.at(-1)).toEqual({ data: 1_000 });
  expect(runs.length).toBeLessThanOrEqual(26);
});

it('stops with its last subscriber, even during a pause', async () => {
  const { clock, query, subscribe, change, runs } = shared();
  const { subscriber } = subscribe();
  await clock.advance(11);
  change({ data: 1 });
  expect(query.remove(subscriber)).toBe(true);
  await clock.advance(1_000);
  expect(runs).toHaveLength(1);
  expect(clock.pending()).toBe(0);
});

describe('failures', () => {
  it('of the query are sent to the subscriber', async () => {
    const { clock, subscribe } = shared(failure('data-exception'));
    const { results } = subscribe();
    await clock.advance(10);
    expect(results).toEqual([failure('data-exception')]);
  });

  it('of the database are retried with growing delays and not sent', async () => {
    const { clock, subscribe, change, runs } = shared(OUTAGE);
    const { results } = subscribe();
    await clock.advance(1_000);
    expect(results).toEqual([]);
    expect(runs).toEqual([0, 110, 320, 730]);
    change({ data: 1 });
    await clock.advance(5_000);
    expect(results).toEqual([{ data: 1 }]);
  });

  it('leave the last result in place, and changes during an outage are sent after it', async () => {
    const { clock, subscribe, change } = shared();
    const { results } = subscribe();
    await clock.advance(50);
    change(OUTAGE);
    await clock.advance(60_000);
    change({ data: 2 });
    await clock.advance(6_000);
    expect(results).toEqual([{ data: 0 }, { data: 2 }]);
  });
});
