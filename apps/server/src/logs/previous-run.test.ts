import { buildLogName, instanceLogName } from '@longshore/contract';
import { expect, it } from 'vitest';
import { createPreviousRun } from './previous-run.ts';

const APP = '3f2a91aa-0000-4000-8000-000000000000';

/** `1a` is the text `a` of instance 1; `b1a` of build 1. */
function texts(lines: string, maxLines = 100): string {
  const run = createPreviousRun(maxLines);
  for (const [index, line] of lines.split(' ').filter(Boolean).entries()) {
    const isBuild = line.startsWith('b');
    const number = Number(/\d+/.exec(line)?.[0]);
    const name = isBuild ? buildLogName(APP, number) : instanceLogName(APP, number);
    run.add({ sequence: index + 1, at: 0, name, text: line });
  }
  return run
    .records()
    .map(({ text }) => text)
    .join(' ');
}

it.each([
  ['nothing at all', '', ''],
  ['only one run', '1a 1b', ''],
  ['two runs', '1a 1b 2a', '1a 1b'],
  ['many runs', '1a 2a 2b 9a 10a', '9a'],
  ['builds between', 'b1x 1a b2x b2y 2a', '1a'],
  ['runs that overlap', '1a 2a 1b 2b', '1a 1b'],
  ['a late word of a run long gone', '1a 2a 3a 1b', '2a'],
  ['a start that was rotated away', '5a 4b 5b', '4b'],
])('finds the run before in %s', (_sentence, lines, expected) => {
  expect(texts(lines)).toBe(expected);
});

it('keeps no more than the last lines', () => {
  expect(texts('1a 1b 1c 1d 1e 1f 2a', 2)).toBe('1e 1f');
});
