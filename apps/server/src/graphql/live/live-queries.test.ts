import { createSimulatedClock } from '@longshore/testkit';
import { expect, it } from 'vitest';
import type { Change, RowTable } from '../../db/change.ts';
import { createLiveQueries } from './live-queries.ts';
import { createRowChanges } from './row-changes.ts';

function startLiveQueries() {
  const clock = createSimulatedClock();
  let count = 0;
  let notify: (change: Change) => void = () => {};
  const { onChange } = createRowChanges((listener) => {
    notify = listener;
    return () => {};
  });
  const live = createLiveQueries({ onChange, clock });
  const executed: string[] = [];
  const watch = (key: string, owner: string | undefined, ...tables: RowTable[]) => {
    const results: string[] = [];
    const query = {
      key,
      owner,
      tables: new Set(tables),
      execute: async () => {
        executed.push(key);
        count += 1;
        return `{"data":${count}}`;
      },
    };
    const stop = live.watch(query, ({ text }) => void results.push(text));
    return { results, stop };
  };
  const settled = () => clock.advance(0);
  return { watch, executed, settled, notify: (change: Change) => notify(change) };
}

const rows = (table: RowTable, userId: string): Change => ({
  kind: 'rows',
  change: { table, userId },
});
const resource = (userId: string): Change => ({
  kind: 'resource',
  change: {
    id: 'r',
    userId,
    chartName: 'project',
    generation: 1,
    isNewGeneration: true,
    isRetryRequested: false,
    isEdgeChange: false,
  },
});

it('executes only queries whose rows may have changed, by owner and table', async () => {
  const { watch, executed, settled, notify } = startLiveQueries();
  watch('ada resources', 'ada', 'resources');
  watch('ada events', 'ada', 'events');
  watch('eve both', 'eve', 'resources', 'events');
  watch('every owner', undefined, 'resources');
  await settled();
  const executedAfter = async (...changes: Change[]) => {
    executed.length = 0;
    for (const change of changes) notify(change);
    await settled();
    return executed.toSorted();
  };
  expect(await executedAfter(resource('ada'))).toEqual(['ada resources', 'every owner']);
  expect(await executedAfter(rows('events', 'ada'))).toEqual(['ada events']);
  expect(await executedAfter(rows('events', 'eve'))).toEqual(['eve both']);
  expect(await executedAfter(rows('releases', 'ada'))).toEqual([]);
  expect(await executedAfter({ kind: 'session-end', end: { userId: 'ada' } })).toEqual([]);
  expect(await executedAfter({ kind: 'missed' })).toEqual([
    'ada events',
    'ada resources',
    'eve both',
    'every owner',
  ]);
});

it('executes equal queries once', async () => {
  const { watch, executed, settled, notify } = startLiveQueries();
  const subscribers = Array.from({ length: 50 }, () => watch('same', 'ada', 'resources'));
  await settled();
  executed.length = 0;
  notify(resource('ada'));
  await settled();
  expect(executed).toEqual(['same']);
  expect(subscribers.every(({ results }) => results.length > 1)).toBe(true);
  expect(new Set(subscribers.map(({ results }) => results.at(-1))).size).toBe(1);
});

it('executes nothing without subscribers, and again for later ones', async () => {
  const { watch, executed, settled, notify } = startLiveQueries();
  const { stop } = watch('same', 'ada', 'resources');
  await settled();
  stop();
  executed.length = 0;
  notify(resource('ada'));
  await settled();
  expect(executed).toEqual([]);
  const { results } = watch('same', 'ada', 'resources');
  await settled();
  expect(results).toHaveLength(1);
});
