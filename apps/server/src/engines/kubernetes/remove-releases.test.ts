import { expect, it } from 'vitest';
import { unusedImages } from './remove-releases.ts';

const releases = (...images: string[]) => images.map((image) => ({ image }));

it.each([
  ['all of them', releases('a', 'b'), [], ['a', 'b']],
  ['one that two releases share once', releases('a', 'a'), [], ['a']],
  ['none that a kept release uses', releases('a', 'b'), releases('a'), ['b']],
])('removes %s', (_, removed, kept, expected) => {
  expect(unusedImages(removed, kept)).toEqual(expected);
});
