import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ROOT } from './root.mjs';

const MESSAGE_LINES = 6;
/** Vitest did not finish, so nothing is known about its tests. */
const NO_REPORT = {
  passed: 0,
  failed: ['Vitest wrote no report. See the output above.'],
  skipped: [],
};

/**
 * Counts the tests of a Vitest report, and describes each that failed. A file that could not be loaded counts as one
 * failed test.
 */
export function countTests(report, root = ROOT) {
  if (report === undefined) return NO_REPORT;
  const tests = report.testResults.flatMap((file) => file.assertionResults);
  const failed = report.testResults.flatMap((file) => failuresOf(file, relative(root, file.name)));
  // An error outside any test fails the run without failing a test.
  const isOutsideTests = !report.success && failed.length === 0;
  return {
    passed: tests.filter((test) => test.status === 'passed').length,
    failed: isOutsideTests ? ['An error outside any test. See the output above.'] : failed,
    skipped: tests
      .filter((test) => ['skipped', 'pending', 'todo', 'disabled'].includes(test.status))
      .map((test) => test.fullName),
  };
}

function failuresOf(file, path) {
  const tests = file.assertionResults.filter((test) => test.status === 'failed');
  if (tests.length > 0) {
    return tests.map((test) =>
      describeFailure(`${path} > ${test.fullName}`, test.failureMessages.join('\n')),
    );
  }
  return file.status === 'failed' ? [describeFailure(path, file.message)] : [];
}

function describeFailure(title, message) {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.includes('/node_modules/'));
  return [title, ...lines.slice(0, MESSAGE_LINES).map((line) => `    ${line}`)].join('\n');
}

/** The end of a test run. In strict mode a skipped test counts as failed. */
export function summary(counts, isStrict) {
  const skipped = counts.flatMap((count) => count.skipped);
  const failures = counts.flatMap((count) => count.failed);
  const passed = counts.reduce((total, count) => total + count.passed, 0);
  const failed = failures.length + (isStrict ? skipped.length : 0);
  const total = `${passed} passed, ${failed} failed`;
  return {
    lines: [
      ...skipped.map((name) => `Skipped: ${name}`),
      ...failures.map((failure) => `Failed: ${failure}`),
      skipped.length === 0 ? total : `${total}, ${skipped.length} skipped`,
    ],
    isSuccess: failed === 0,
  };
}
