import { expect, it } from 'vitest';
import { sizeOfLayers } from './layer-records.ts';

const layer = (diffId: string, bytes: number) => ({ diffId, bytes });
const BASE = layer('base', 100);
const APP = layer('app', 5);

it.each([
  ['nothing', [], 0],
  ['one image', [[BASE, APP]], 105],
  [
    'the same image twice',
    [
      [BASE, APP],
      [BASE, APP],
    ],
    105,
  ],
  ['images on the same base', [[BASE, APP], [BASE, layer('next', 7)], [BASE]], 112],
  [
    'the same layer on another base',
    [
      [BASE, APP],
      [layer('other', 50), APP],
    ],
    160,
  ],
  ['a layer that an image has twice', [[BASE, APP, APP]], 110],
])('knows the size of %s', (_, images, bytes) => {
  expect(sizeOfLayers(images)).toBe(bytes);
});
