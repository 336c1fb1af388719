import { expect, it } from 'vitest';
import { staleReleases } from './remove-app.ts';

it.each([
  ['keeps what is named', [1, 2, 3], [2, 3], [], [1]],
  ['keeps what runs', [1, 2, 3], [3], [1], [2]],
  ['leaves newer ones alone', [1, 2, 3], [2], [], [1]],
  ['takes all when nothing is named', [1, 2], [], [], [1, 2]],
])('%s', (_, present, keep, running, stale) => {
  expect(staleReleases(present, keep, running)).toEqual(stale);
});
