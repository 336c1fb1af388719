import { describe, expect, it } from 'vitest';
import { countTests, summary } from './count-tests.mjs';

const test = (status: string) => ({ status, fullName: `a ${status} test` });
const file = (status: string, ...states: string[]) => ({
  status,
  assertionResults: states.map(test),
});

describe('countTests', () => {
  it.each([
    ['all good', true, [file('passed', 'passed', 'passed')], { passed: 2, failed: 0 }],
    ['one failed', false, [file('failed', 'passed', 'failed')], { passed: 1, failed: 1 }],
    ['a file that could not be loaded', false, [file('failed')], { passed: 0, failed: 1 }],
    ['an error outside of tests', false, [file('passed', 'passed')], { passed: 1, failed: 1 }],
  ])('counts %s', (_, success, testResults, expected) => {
    expect(countTests({ success, testResults })).toEqual({ ...expected, skipped: [] });
  });

  it('lists the skipped tests', () => {
    const report = { success: true, testResults: [file('passed', 'passed', 'skipped', 'todo')] };
    expect(countTests(report)).toEqual({
      passed: 1,
      failed: 0,
      skipped: ['a skipped test', 'a todo test'],
    });
  });
});

describe('summary', () => {
  const counts = [
    { passed: 3, failed: 0, skipped: [] },
    { passed: 2, failed: 0, skipped: ['one'] },
  ];
  it.each([
    [false, { line: '5 passed, 0 failed, 1 skipped', isSuccess: true }],
    [true, { line: '5 passed, 1 failed, 1 skipped', isSuccess: false }],
  ])('counts a skip as a failure when strict is %s', (isStrict, expected) => {
    expect(summary(counts, isStrict)).toEqual(expected);
  });
});
