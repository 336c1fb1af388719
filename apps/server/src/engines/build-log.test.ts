import { expect, it } from 'vitest';
import { createFakeLogSink } from '../../test/engines/fake-log-sink.ts';
import { DEFAULT_SIZE } from '../../test/tiers.ts';
import { type WriteLine, withBuildLog } from './build-log.ts';
import { EngineFailure } from './failure.ts';

const spec = {
  appId: '3f2a91c4-5b6d-4e7f-8a9b-0c1d2e3f4a5b',
  ownerId: 'u1',
  projectId: 'p1',
  name: 'shop',
  number: 7,
  origin: { kind: 'git', url: 'https://user:word@git.example/shop.git', ref: 'main' },
  env: {},
  ports: [],
  size: DEFAULT_SIZE,
} as const;

async function logOf(
  build: (writeLine: WriteLine) => Promise<string>,
  signal = new AbortController().signal,
) {
  const lines: string[] = [];
  const logs = createFakeLogSink((line) => void lines.push(line));
  await withBuildLog({ spec: { ...spec, ports: [] }, logs, signal }, build).catch(() => undefined);
  return lines;
}

const FIRST_LINE = 'Release 7: fetching https://git.example/shop.git at main';
const fails = (error: Error) => () => Promise.reject(error);

it('ends with the evidence, then what happened and what to do', async () => {
  const failure = new EngineFailure('build-failed', [
    'npm run build failed with exit code 1',
    'more',
  ]);
  expect(await logOf(fails(failure))).toEqual([
    FIRST_LINE,
    'npm run build failed with exit code 1',
    'The build job failed. Fix the error above, then push or redeploy.',
  ]);
});

it('does not repeat evidence that is the last line of the log already', async () => {
  const fatal = 'fatal: could not find remote ref nowhere';
  const lines = await logOf((writeLine) => {
    writeLine(fatal);
    return Promise.reject(new EngineFailure('ref-not-found', [fatal]));
  });
  expect(lines).toEqual([
    FIRST_LINE,
    fatal,
    'The branch, tag or commit was not found in the repository. Check the ref, or push it first.',
  ]);
});

it('does not show the message of an unexpected error', async () => {
  expect(await logOf(fails(new Error('EPIPE /srv/secret')))).toEqual([
    FIRST_LINE,
    'An unexpected server error occurred. Retrying automatically. The operator can find the cause in the server log.',
  ]);
});

it('writes whether the build finished or was stopped', async () => {
  expect(await logOf(async () => 'a'.repeat(40))).toEqual([FIRST_LINE, 'Build finished']);
  const stopped = AbortSignal.abort();
  expect(await logOf(fails(new Error('aborted')), stopped)).toEqual([FIRST_LINE, 'Build stopped']);
});
