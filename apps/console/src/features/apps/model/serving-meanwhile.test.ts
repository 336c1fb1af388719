import { expect, it } from 'vitest';
import { aRelease } from '../../../../test/resources.ts';
import { servingMeanwhile } from './serving-meanwhile.ts';

const live = (number: number) => aRelease({ number });
const failed = (number: number) => aRelease({ number, outcome: 'failed' });
const underWay = aRelease({ number: 9, outcome: undefined });

it.each([
  ['nothing was released', [], undefined],
  ['the first release failed', [failed(1)], undefined],
  ['the newest release serves', [live(2), live(1)], undefined],
  ['the newest release failed', [failed(3), live(2), live(1)], 2],
  ['several failed', [failed(4), failed(3), live(2)], 2],
  ['one is tried again and again', [underWay, live(8)], 8],
])('tells which release serves when %s', (_, history, number) => {
  expect(servingMeanwhile(history)).toBe(number);
});
