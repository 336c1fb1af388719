import { expect, it } from 'vitest';
import type { BuildStep } from '../build-plan.ts';
import { buildFailure } from './build-failure.ts';

const failed = {
  problem: '',
  lastLines: ['the last line'],
  isOutOfMemory: false,
  allowsPrivateNetworks: false,
};

it.each([
  ['process "/bin/sh -c make" did not complete successfully: exit code: 3', 'build-failed'],
  [
    'process "/bin/sh -c make" did not complete successfully: exit code: 137',
    'build-out-of-memory',
  ],
  ['dockerfile parse error on line 2: unknown instruction: FLOAT', 'build-failed'],
  ['failed to copy files: write /x: no space left on device', 'build-disk-full'],
])('finds the reason of %j', (problem, reason) => {
  expect(buildFailure({ ...failed, problem }).reason).toBe(reason);
});

it('names the base image that cannot be fetched', () => {
  const problem =
    'x:1: failed to resolve source metadata for docker.io/library/x:1: docker.io/library/x:1: not found';
  expect(buildFailure({ ...failed, problem })).toMatchObject({
    reason: 'image-not-found',
    evidence: ['Image: docker.io/library/x:1', 'the last line'],
  });
});

it.each([
  'process "node .longshore/link-site-folder.ts dist,build .longshore/site"',
  `process "/bin/sh -c PATH="$IMAGE_PATH" exec 'node' '.longshore/link-site-folder.ts' 'dist'"`,
])('reports a build without pages as such, with what to enter: %s', (step) => {
  const problem = `${step} did not complete successfully: exit code: 66`;
  const missing = ['The build wrote no index.html to dist, build', 'Enter the output directory'];
  const lastLines = ['no space left on device', '[7/7] RUN node', ...missing];
  expect(buildFailure({ ...failed, problem, lastLines })).toEqual({
    reason: 'output-missing',
    evidence: missing,
  });
});

it('takes the same exit code of another program for a failed build', () => {
  const problem = 'process "npm run build" did not complete successfully: exit code: 66';
  expect(buildFailure({ ...failed, problem }).reason).toBe('build-failed');
});

it('believes the kernel when a program hides that it was killed', () => {
  const problem = 'process "npm ci" did not complete successfully: exit code: 1';
  expect(buildFailure({ ...failed, problem, isOutOfMemory: true }).reason).toBe(
    'build-out-of-memory',
  );
});

it('believes a program that got no memory', () => {
  const problem = 'process "head" did not complete successfully: exit code: 1';
  const lastLines = ["head: error writing 'standard output': Cannot allocate memory"];
  expect(buildFailure({ ...failed, problem, lastLines }).reason).toBe('build-out-of-memory');
});

it('shows the exit code instead of the command, which is in the log', () => {
  const problem = 'process "/bin/sh -c make" did not complete successfully: exit code: 3';
  expect(buildFailure({ ...failed, problem }).evidence).toEqual(['Exit code 3', 'the last line']);
});

it('names the step of a generated Dockerfile that failed, and what it advises', () => {
  const advice = 'Enter the install command npm install';
  const install = { kind: 'install', label: 'npm ci', argv: ['npm', 'ci'] } as const;
  const steps: BuildStep[] = [
    { ...install, orElse: [['npm', 'install']], advice },
    { kind: 'build', label: 'npm run build', argv: ['npm', 'run', 'build'] },
  ];
  const failureOf = (command: string) => {
    const problem = `process "${command}" did not complete successfully: exit code: 1`;
    return buildFailure({ ...failed, problem, steps });
  };
  const lines = (label: string) => [`${label} failed with exit code 1`, 'the last line'];
  expect(failureOf("/bin/sh -c 'npm' 'ci' || 'npm' 'install'")).toMatchObject({
    evidence: lines('npm ci'),
    step: { advice },
  });
  expect(failureOf('npm run build')).toMatchObject({ evidence: lines('npm run build') });
  expect(failureOf('npm run')).toMatchObject({ evidence: ['Exit code 1', 'the last line'] });
});

it('shows other problems in the words of BuildKit, once', () => {
  const problem = 'dockerfile parse error on line 2: unknown instruction: FLOAT';
  expect(buildFailure({ ...failed, problem }).evidence).toEqual([problem, 'the last line']);
  expect(buildFailure({ ...failed, problem, lastLines: [problem] }).evidence).toEqual([problem]);
});
