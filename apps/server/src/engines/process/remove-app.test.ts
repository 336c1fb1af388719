import { expect, it } from 'vitest';
import { staleReleases } from './remove-app.ts';

it.each([
  ['keeps the listed releases', [1, 2, 3], [2, 3], [], [1]],
  ['keeps running releases', [1, 2, 3], [3], [1], [2]],
  ['keeps newer releases', [1, 2, 3], [2], [], [1]],
  ['removes all releases when none is listed', [1, 2], [], [], [1, 2]],
])('%s', (_, present, keep, running, stale) => {
  expect(staleReleases(present, keep, running)).toEqual(stale);
});
