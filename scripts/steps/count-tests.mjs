/** Counts the tests of a Vitest report. A file that could not be loaded counts as one failed test. */
export function countTests(report) {
  const tests = report.testResults.flatMap((file) => file.assertionResults);
  const countOf = (...states) => tests.filter((test) => states.includes(test.status)).length;
  const brokenFiles = report.testResults.filter(
    (file) =>
      file.status === 'failed' && file.assertionResults.every((it) => it.status !== 'failed'),
  );
  const failed = countOf('failed') + brokenFiles.length;
  return {
    passed: countOf('passed'),
    // An error outside any test fails the run without failing a test.
    failed: report.success || failed > 0 ? failed : 1,
    skipped: tests
      .filter((test) => ['skipped', 'pending', 'todo', 'disabled'].includes(test.status))
      .map((test) => test.fullName),
  };
}

/** The last line of a test run. In strict mode a skipped test counts as failed. */
export function summary(counts, isStrict) {
  const sum = (pick) => counts.reduce((total, count) => total + pick(count), 0);
  const skipped = sum((count) => count.skipped.length);
  const failed = sum((count) => count.failed) + (isStrict ? skipped : 0);
  const line = `${sum((count) => count.passed)} passed, ${failed} failed`;
  return { line: skipped === 0 ? line : `${line}, ${skipped} skipped`, isSuccess: failed === 0 };
}
