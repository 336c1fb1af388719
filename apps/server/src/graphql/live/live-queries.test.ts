import { createSimulatedClock } from '@longshore/testkit';
import { expect, it } from 'vitest';
import type { Change, RowTable } from '../../db/change.ts';
import { createLiveQueries } from './live-queries.ts';
import { createRowChanges } from './row-changes.ts';

function world() {
  const clock = createSimulatedClock();
  let count = 0;
  let tell: (change: Change) => void = () => {};
  const { onChange } = createRowChanges((listener) => {
    tell = listener;
    return () => {};
  });
  const live = createLiveQueries({ onChange, clock });
  const asked: string[] = [];
  const watch = (key: string, owner: string | undefined, ...tables: RowTable[]) => {
    const answers: string[] = [];
    const question = {
      key,
      owner,
      tables: new Set(tables),
      ask: async () => {
        asked.push(key);
        count += 1;
        return `{"data":${count}}`;
      },
    };
    const stop = live.watch(question, ({ text }) => void answers.push(text));
    return { answers, stop };
  };
  const settled = () => clock.advance(0);
  return { watch, asked, settled, tell: (change: Change) => tell(change) };
}

const rows = (table: RowTable, userId: string): Change => ({
  kind: 'rows',
  change: { table, userId },
});
const resource = (userId: string): Change => ({
  kind: 'resource',
  change: { id: 'r', userId, chartName: 'project', generation: 1, wished: true },
});

it('asks only whose rows could have changed: by owner and by table', async () => {
  const { watch, asked, settled, tell } = world();
  watch('ada resources', 'ada', 'resources');
  watch('ada events', 'ada', 'events');
  watch('eve both', 'eve', 'resources', 'events');
  watch('everybody', undefined, 'resources');
  await settled();
  const asks = async (...changes: Change[]) => {
    asked.length = 0;
    for (const change of changes) tell(change);
    await settled();
    return asked.toSorted();
  };
  expect(await asks(resource('ada'))).toEqual(['ada resources', 'everybody']);
  expect(await asks(rows('events', 'ada'))).toEqual(['ada events']);
  expect(await asks(rows('events', 'eve'))).toEqual(['eve both']);
  expect(await asks(rows('releases', 'ada'))).toEqual([]);
  expect(await asks({ kind: 'session-end', end: { userId: 'ada' } })).toEqual([]);
  expect(await asks({ kind: 'missed' })).toEqual([
    'ada events',
    'ada resources',
    'eve both',
    'everybody',
  ]);
});

it('asks once for all with the same question', async () => {
  const { watch, asked, settled, tell } = world();
  const readers = Array.from({ length: 50 }, () => watch('same', 'ada', 'resources'));
  await settled();
  asked.length = 0;
  tell(resource('ada'));
  await settled();
  expect(asked).toEqual(['same']);
  expect(readers.every(({ answers }) => answers.length > 1)).toBe(true);
  expect(new Set(readers.map(({ answers }) => answers.at(-1))).size).toBe(1);
});

it('asks nothing for those who left, and anew for who comes after them', async () => {
  const { watch, asked, settled, tell } = world();
  const { stop } = watch('same', 'ada', 'resources');
  await settled();
  stop();
  asked.length = 0;
  tell(resource('ada'));
  await settled();
  expect(asked).toEqual([]);
  const { answers } = watch('same', 'ada', 'resources');
  await settled();
  expect(answers).toHaveLength(1);
});
