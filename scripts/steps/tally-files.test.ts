import { expect, it } from 'vitest';
import { tallyFiles } from './tally-files.mjs';

const result = (name: string, status: string, seconds: number) => ({
  name: `/checkout/e2e/journeys/${name}`,
  status,
  startTime: 1_000_000,
  endTime: 1_000_000 + seconds * 1000,
});

const tally = (...rounds: ReturnType<typeof result>[][]) =>
  tallyFiles(
    rounds.map((testResults) => ({ testResults })),
    '/checkout/e2e/journeys',
  );

it('counts runs and failures of each file, and its median duration', () => {
  const rounds = [3, 90, 4].map((seconds) => [result('deploy.spec.ts', 'passed', seconds)]);
  expect(tally(...rounds, [result('deploy.spec.ts', 'failed', 5.04)])).toEqual([
    { file: 'deploy.spec.ts', runs: 4, failures: 1, medianSeconds: 5 },
  ]);
});

it('sorts by failures, then by duration, and keeps files of the same name apart', () => {
  const files = tally(
    [result('files.spec.ts', 'passed', 1), result('public-clients/files.spec.ts', 'passed', 9)],
    [result('files.spec.ts', 'passed', 1), result('shell.spec.ts', 'failed', 0)],
  ).map(({ file, runs }) => [file, runs]);
  expect(files).toEqual([
    ['shell.spec.ts', 1],
    ['public-clients/files.spec.ts', 1],
    ['files.spec.ts', 2],
  ]);
});

it('returns nothing before the first run', () => {
  expect(tally()).toEqual([]);
});
