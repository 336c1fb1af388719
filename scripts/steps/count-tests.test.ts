import { describe, expect, it } from 'vitest';
import { countTests, summary } from './count-tests.mjs';

const test = (status: string) => ({
  status,
  fullName: `a ${status} test`,
  failureMessages:
    status === 'failed' ? ['\u001b[31mError\u001b[39m: 1 is not 2\n    at a.ts:1'] : [],
});
const file = (status: string, ...states: string[]) => ({
  name: '/repo/src/a.test.ts',
  status,
  message: status === 'failed' && states.length === 0 ? 'Cannot find module b' : '',
  assertionResults: states.map(test),
});

describe('countTests', () => {
  const FAILED_TEST = 'src/a.test.ts > a failed test\n    Error: 1 is not 2\n        at a.ts:1';
  const BROKEN_FILE = 'src/a.test.ts\n    Cannot find module b';
  const OUTSIDE = 'An error outside any test. See the output above.';
  it.each([
    ['all good', true, [file('passed', 'passed', 'passed')], 2, []],
    ['one failed', false, [file('failed', 'passed', 'failed')], 1, [FAILED_TEST]],
    ['a file that could not be loaded', false, [file('failed')], 0, [BROKEN_FILE]],
    ['an error outside of tests', false, [file('passed', 'passed')], 1, [OUTSIDE]],
  ])('counts %s', (_, success, testResults, passed, failed) => {
    const counts = countTests({ success, testResults }, '/repo');
    expect(counts).toEqual({ passed, failed, skipped: [] });
  });

  it('shortens the message of a failed test', () => {
    const long = { ...test('failed'), failureMessages: ['1\n2\n3\n4\n5\n6\n7'] };
    const testResults = [{ ...file('failed'), assertionResults: [long] }];
    const [failure] = countTests({ success: false, testResults }, '/repo').failed;
    expect(failure).toBe(`src/a.test.ts > a failed test${'123456'.replaceAll(/./g, '\n    $&')}`);
  });

  it('lists the skipped tests', () => {
    const report = { success: true, testResults: [file('passed', 'passed', 'skipped', 'todo')] };
    expect(countTests(report)).toEqual({
      passed: 1,
      failed: [],
      skipped: ['a skipped test', 'a todo test'],
    });
  });

  it('counts a missing report as one failure', () => {
    expect(countTests(undefined).failed).toEqual(['Vitest wrote no report. See the output above.']);
  });
});

describe('summary', () => {
  const counts = [
    { passed: 3, failed: [], skipped: [] },
    { passed: 2, failed: [], skipped: ['one'] },
  ];
  it.each([
    [false, '5 passed, 0 failed, 1 skipped', true],
    [true, '5 passed, 1 failed, 1 skipped', false],
  ])('counts a skip as a failure when strict is %s', (isStrict, total, isSuccess) => {
    expect(summary(counts, isStrict)).toEqual({ lines: ['Skipped: one', total], isSuccess });
  });

  it('names the failed tests right before the last line', () => {
    const failed = { passed: 1, failed: ['a.test.ts > fails\n    Error: no'], skipped: [] };
    expect(summary([...counts, failed], true)).toEqual({
      lines: [
        'Skipped: one',
        'Failed: a.test.ts > fails\n    Error: no',
        '6 passed, 2 failed, 1 skipped',
      ],
      isSuccess: false,
    });
  });
});
