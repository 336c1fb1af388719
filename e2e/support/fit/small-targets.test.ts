import { expect, it } from 'vitest';
import type { Control } from './controls.ts';
import { smallTargets } from './small-targets.ts';

const MIN_PX = 40;

it.each<[string, Control[], string[]]>([
  ['accepts controls of the required size', [control('save', 0, 40), control('close', 41, 40)], []],
  [
    'accepts a control that is half a pixel too small',
    [control('save', 0, 39.5), control('close', 40, 40)],
    [],
  ],
  ['accepts a small control without neighbors', [control('save', 0, 24)], []],
  [
    'accepts a small control with free space around it',
    [control('save', 0, 24), control('close', 33, 40)],
    [],
  ],
  [
    'reports a small control beside another',
    [control('save', 0, 24), control('close', 26, 40)],
    ['save'],
  ],
  [
    'reports two small controls side by side',
    [control('save', 0, 24), control('close', 28, 24)],
    ['save', 'close'],
  ],
  [
    'accepts a small control with a large enough click area',
    [{ ...control('save', 0, 24), hit: { width: 40, height: 40 } }, control('close', 26, 40)],
    [],
  ],
  [
    'accepts a link inside a text',
    [{ ...control('save', 0, 24), isInText: true }, control('close', 26, 40)],
    [],
  ],
])('%s', (_, controls, small) => {
  expect(smallTargets(controls, MIN_PX).map(({ html }) => html)).toEqual(small);
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
