import { expect, it } from 'vitest';
import type { Control } from './controls.ts';
import { smallTargets } from './small-targets.ts';

const LEAST_PX = 40;

it.each<[string, Control[], string[]]>([
  ['what is large enough', [control('save', 0, 40), control('close', 41, 40)], []],
  ['what lost half a dot', [control('save', 0, 39.5), control('close', 40, 40)], []],
  ['a small one alone', [control('save', 0, 24)], []],
  ['a small one with room around it', [control('save', 0, 24), control('close', 33, 40)], []],
  ['a small one beside another', [control('save', 0, 24), control('close', 26, 40)], ['save']],
  ['two small ones', [control('save', 0, 24), control('close', 28, 24)], ['save', 'close']],
  [
    'a small one that its label presses too',
    [{ ...control('save', 0, 24), hit: { width: 40, height: 40 } }, control('close', 26, 40)],
    [],
  ],
  [
    'a word of a sentence',
    [{ ...control('save', 0, 24), isInText: true }, control('close', 26, 40)],
    [],
  ],
])('%s', (_, controls, small) => {
  expect(smallTargets(controls, LEAST_PX).map(({ html }) => html)).toEqual(small);
});

/** A square control at an x position. */
function control(html: string, x: number, sizePx: number): Control {
  return {
    html,
    box: { x, y: 0, width: sizePx, height: sizePx },
    hit: { width: sizePx, height: sizePx },
    isInText: false,
    isReachable: true,
  };
}
