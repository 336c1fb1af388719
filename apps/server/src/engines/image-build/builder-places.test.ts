import { expect, it } from 'vitest';
import { choosePlace } from './builder-places.ts';

const place = (name: string, isBusy: boolean, ...apps: string[]) => ({
  name,
  isBusy,
  apps: new Set(apps),
});

it.each([
  ['the one that built the app before', [place('a', false), place('b', false, 'shop')], 'b'],
  ['a free one, when that is busy', [place('a', false), place('b', true, 'shop')], 'a'],
  ['the first free one', [place('a', true), place('b', false, 'blog'), place('c', false)], 'b'],
  ['none, when all are busy', [place('a', true, 'shop')], undefined],
])('chooses %s', (_, places, chosen) => {
  expect(choosePlace(places, 'shop')?.name).toBe(chosen);
});
