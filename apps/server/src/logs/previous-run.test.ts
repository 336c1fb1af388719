import { instanceLogName } from '@longshore/contract';
import { expect, it } from 'vitest';
import { createPreviousRunFinder } from './previous-run.ts';

const APP = '3f2a91aa-0000-4000-8000-000000000000';

/** `1a` is the text `a` of instance 1. */
function texts(lines: string, maxLines = 100): string {
  const words = lines.split(' ').filter(Boolean);
  const finder = createPreviousRunFinder(maxLines);
  for (const [index, line] of words.entries()) {
    const name = instanceLogName(APP, Number(/\d+/.exec(line)?.[0]));
    finder.add({ sequence: index, at: 0, name, text: line });
  }
  const sequences = finder.previousRun()?.sequences ?? [];
  return sequences.map((sequence) => words[sequence]).join(' ');
}

it.each([
  ['an empty log', '', ''],
  ['only one run', '1a 1b', ''],
  ['two runs', '1a 1b 2a', '1a 1b'],
  ['many runs', '1a 2a 2b 9a 10a', '9a'],
  ['runs that overlap', '1a 2a 1b 2b', '1a 1b'],
  ['a late line of an old run', '1a 2a 3a 1b', '2a'],
  ['a log whose beginning was deleted', '5a 4b 5b', '4b'],
])('finds the previous run in %s', (_case, lines, expected) => {
  expect(texts(lines)).toBe(expected);
});

it('returns only the last lines', () => {
  expect(texts('1a 1b 1c 1d 1e 1f 2a', 2)).toBe('1e 1f');
});

it('returns the name of the run', () => {
  const finder = createPreviousRunFinder(10);
  finder.add({ sequence: 1, at: 0, name: 'app-3f2a91-1', text: '' });
  finder.add({ sequence: 2, at: 0, name: 'app-3f2a91-2', text: '' });
  expect(finder.previousRun()).toEqual({ name: 'app-3f2a91-1', sequences: [1] });
});
