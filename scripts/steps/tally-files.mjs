import { relative } from 'node:path';

/** Runs, failures and median duration of each test file over several reports, most failures first. Paths are relative to the folder. */
export function tallyFiles(reports, folder) {
  const results = reports.flatMap((report) => report.testResults);
  return [...new Set(results.map(({ name }) => name))]
    .map((name) =>
      tallyOf(
        relative(folder, name),
        results.filter((it) => it.name === name),
      ),
    )
    .sort((a, b) => b.failures - a.failures || b.medianSeconds - a.medianSeconds);
}

function tallyOf(file, results) {
  return {
    file,
    runs: results.length,
    failures: results.filter(({ status }) => status === 'failed').length,
    medianSeconds: median(results.map(secondsOf)),
  };
}

/** From the start of the first test to the end of the last; a report has no other times. */
function secondsOf({ startTime, endTime }) {
  return Math.round((endTime - startTime) / 100) / 10;
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}
