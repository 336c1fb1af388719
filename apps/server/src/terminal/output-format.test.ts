import { expect, it } from 'vitest';
import {
  durationText,
  jsonLine,
  type OutputFormat,
  outputFormat,
  type StepState,
  stepLine,
} from './output-format.mjs';

const json: OutputFormat = { kind: 'json' };
const colored: OutputFormat = { kind: 'text', isTerminal: true, isColored: true };
const plain: OutputFormat = { ...colored, isColored: false };

it.each<[boolean, Record<string, string>, OutputFormat]>([
  [true, {}, colored],
  [false, {}, json],
  [true, { LONGSHORE_LOG_FORMAT: 'auto' }, colored],
  [false, { LONGSHORE_LOG_FORMAT: 'auto' }, json],
  [true, { LONGSHORE_LOG_FORMAT: 'json' }, json],
  [true, { LONGSHORE_LOG_FORMAT: ' json ' }, json],
  [false, { LONGSHORE_LOG_FORMAT: 'text' }, { ...plain, isTerminal: false }],
  [true, { LONGSHORE_LOG_FORMAT: 'text' }, colored],
  [true, { NO_COLOR: '1' }, plain],
  [true, { NO_COLOR: '' }, colored],
  [true, { TERM: 'dumb' }, plain],
])('with a terminal %s and %j the format is %j', (isTerminal, environment, format) => {
  expect(outputFormat({ environment, isTerminal })).toEqual(format);
});

it.each([
  [0, '0 ms'],
  [412.4, '412 ms'],
  [999.6, '1.0 s'],
  [1_000, '1.0 s'],
  [11_640, '11.6 s'],
  [59_949, '59.9 s'],
  [59_960, '1 min 0 s'],
  [64_000, '1 min 4 s'],
  [3_725_000, '62 min 5 s'],
])('%i ms are %s', (ms, text) => {
  expect(durationText(ms)).toBe(text);
});

it.each<[StepState, number, string]>([
  ['running', 400, '  · Build console                …'],
  ['running', 11_640, '  · Build console             11 s'],
  ['running', 64_900, '  · Build console        1 min 4 s'],
  ['done', 11_640, '  ✓ Build console           11.6 s'],
  ['failed', 412, '  ✗ Build console           412 ms'],
])('the line of a step that is %s after %i ms', (state, ms, line) => {
  expect(stepLine({ title: 'Build console', state, ms }, false)).toBe(line);
});

it('colors the mark and the duration of a step only', () => {
  const line = stepLine({ title: 'Build console', state: 'done', ms: 1_000 }, true);
  expect(line).toBe('  \u001b[32m✓\u001b[0m Build console       \u001b[2m     1.0 s\u001b[0m');
});

it('writes JSON lines in the format of the log', () => {
  const line = jsonLine('Ready', { now: 0, fields: { durationMs: 7 } });
  expect(JSON.parse(line)).toEqual({
    level: 30,
    time: '1970-01-01T00:00:00.000Z',
    durationMs: 7,
    msg: 'Ready',
  });
});
