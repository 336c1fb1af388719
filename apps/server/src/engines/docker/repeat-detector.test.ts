import { expect, it } from 'vitest';
import { createRepeatDetector } from './repeat-detector.ts';

const NOW = 10_000;

/** Classifies entries that are written as `<output>.<milliseconds>`. */
function classifyAll(...entries: string[]): string[] {
  const { classify } = createRepeatDetector();
  return entries.map((entry) => classify(entryOf(entry), NOW));
}

function entryOf(entry: string) {
  const [output, ms] = entry.split('.').map(Number);
  const at = new Date(ms ?? 0).toISOString().replace('Z', '000000Z');
  return { at, output: output ?? 0 };
}

it('classifies entries in order as new, also with equal timestamps', () => {
  expect(classifyAll('1.1000', '1.1000', '1.1001')).toEqual(['new', 'new', 'new']);
});

it('accepts two outputs out of order', () => {
  expect(classifyAll('1.2000', '2.1999', '1.2001', '2.2000')).toEqual(['new', 'new', 'new', 'new']);
});

it('detects entries that are sent twice, up to the newest', () => {
  expect(classifyAll('1.1', '1.2', '1.3', '1.1', '1.2', '1.3', '1.4', '1.5')).toEqual([
    ...['new', 'new', 'new'],
    ...['again', 'repeated', 'repeated'],
    ...['new', 'new'],
  ]);
});

it('detects repetitions more than once', () => {
  expect(classifyAll('1.1', '1.3', '1.1', '1.4', '1.1')).toEqual([
    'new',
    'new',
    'again',
    'new',
    'again',
  ]);
});

it('classifies everything as new after the clock was set back', () => {
  const { classify } = createRepeatDetector();
  expect(classify(entryOf('1.9000'), 9_000)).toBe('new');
  expect(classify(entryOf('1.2000'), 2_000)).toBe('new');
  expect(classify(entryOf('1.2500'), 2_500)).toBe('new');
});
