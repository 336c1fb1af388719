import { expect, it } from 'vitest';
import { createRepeatDetector } from './repeat-detector.ts';

const NOW = 10_000;

/** Entries as `<output>.<milliseconds>`, and what is found of each. */
function found(...entries: string[]): string[] {
  const { classify: look } = createRepeatDetector();
  return entries.map((entry) => look(entryOf(entry), NOW));
}

function entryOf(entry: string) {
  const [output, ms] = entry.split('.').map(Number);
  const at = new Date(ms ?? 0).toISOString().replace('Z', '000000Z');
  return { at, output: output ?? 0 };
}

it('classifies entries in order as new, also with equal timestamps', () => {
  expect(found('1.1000', '1.1000', '1.1001')).toEqual(['new', 'new', 'new']);
});

it('accepts two outputs out of order', () => {
  expect(found('1.2000', '2.1999', '1.2001', '2.2000')).toEqual(['new', 'new', 'new', 'new']);
});

it('detects entries that are sent twice, up to the newest', () => {
  expect(found('1.1', '1.2', '1.3', '1.1', '1.2', '1.3', '1.4', '1.5')).toEqual([
    ...['new', 'new', 'new'],
    ...['again', 'repeated', 'repeated'],
    ...['new', 'new'],
  ]);
});

it('detects repetitions more than once', () => {
  expect(found('1.1', '1.3', '1.1', '1.4', '1.1')).toEqual(['new', 'new', 'again', 'new', 'again']);
});

it('classifies everything as new after the clock was set back', () => {
  const { classify: look } = createRepeatDetector();
  expect(look(entryOf('1.9000'), 9_000)).toBe('new');
  expect(look(entryOf('1.2000'), 2_000)).toBe('new');
  expect(look(entryOf('1.2500'), 2_500)).toBe('new');
});
