import { expect, it } from 'vitest';
import { createMemoryReducer } from './memory-reducer.ts';

const MB = 1_000_000;

function startReducer({ startedWith, afterwards }: { startedWith: number; afterwards: number }) {
  const memory = { used: startedWith * MB, collections: 0, takesMs: 20, now: 0 };
  const reducer = createMemoryReducer({
    usedBytes: () => memory.used,
    collectGarbage() {
      memory.collections += 1;
      memory.now += memory.takesMs;
      memory.used = afterwards * MB;
    },
    now: () => memory.now,
  });
  return { memory, reducer };
}

it.each([
  ['after a load', 20, 0.05, 60, 1],
  ['not during a load', 20, 0.5, 60, 0],
  ['not for the memory of a few visitors', 20, 0.05, 27, 0],
  ['after a load that needed a tenth more', 90, 0.05, 100, 1],
  ['not for a small part of a large memory', 200, 0.05, 215, 0],
])('collects garbage %s', (_when, startedWith, utilization, used, collections) => {
  const { memory, reducer } = startReducer({ startedWith, afterwards: startedWith });
  memory.used = used * MB;
  reducer.check(utilization);
  expect(memory.collections).toBe(collections);
});

it('does not try again to free what is needed', () => {
  const { memory, reducer } = startReducer({ startedWith: 20, afterwards: 50 });
  memory.used = 60 * MB;
  for (const _check of [1, 2, 3]) reducer.check(0);
  expect(memory.collections).toBe(1);
});

it('frees what a second load needed, even if more was needed before', () => {
  const { memory, reducer } = startReducer({ startedWith: 60, afterwards: 20 });
  memory.used = 20 * MB;
  reducer.check(0.5);
  memory.used = 40 * MB;
  reducer.check(0);
  expect(memory.collections).toBe(1);
});

it('waits long after a collection that took long', () => {
  const { memory, reducer } = startReducer({ startedWith: 300, afterwards: 300 });
  memory.takesMs = 800;
  const fill = () => {
    memory.used = 600 * MB;
    reducer.check(0);
    return memory.collections;
  };
  expect(fill()).toBe(1);
  memory.now += 799_000;
  expect(fill()).toBe(1);
  memory.now += 1_000;
  expect(fill()).toBe(2);
});
