import { expect, it } from 'vitest';
import { liveQuery } from './live-query.ts';

function rows(first: unknown) {
  const listeners = new Set<() => void>();
  let answer = first;
  let runs = 0;
  const query = liveQuery(
    async () => {
      runs += 1;
      return answer;
    },
    (changed) => {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
  );
  const change = (next: unknown) => {
    answer = next;
    for (const listener of listeners) listener();
  };
  return { query, change, listeners, runs: () => runs };
}

it('answers at once', async () => {
  const { query } = rows(['a']);
  expect((await query.next()).value).toEqual(['a']);
});

it('answers again after a change, and not when nothing is different', async () => {
  const { query, change } = rows(['a']);
  await query.next();
  const next = query.next();
  change(['a']);
  await Promise.resolve();
  change(['a', 'b']);
  expect((await next).value).toEqual(['a', 'b']);
});

it('counts the changes a slow reader missed as one', async () => {
  const { query, change, runs } = rows(0);
  await query.next();
  for (let row = 1; row <= 1_000; row += 1) change(row);
  expect((await query.next()).value).toBe(1_000);
  expect(runs()).toBe(2);
});

it('can be ended while it waits, and leaves no listener', async () => {
  const { query, listeners } = rows(['a']);
  await query.next();
  const waiting = query.next();
  await query.return();
  expect(await waiting).toEqual({ done: true, value: undefined });
  expect(listeners.size).toBe(0);
});
