import { expect, it } from 'vitest';
import { parseStat } from './processes.ts';

it.each([
  ['node', '42 (node) S 7 42 42 0 -1 4194560 1 2 3 4 150 30 0 0 20 0 11 0 9', 7],
  ['a) b (c', '43 (a) b (c) S 42 43 43 0 -1 4194560 1 2 3 4 150 30 0 0 20 0 1 0 9', 42],
])('reads the state, the parent and the CPU time of %s', (name, text, parent) => {
  expect(parseStat(text)).toEqual({ name, state: 'S', parent, cpuTicks: 180 });
});
