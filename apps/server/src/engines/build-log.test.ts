import { expect, it } from 'vitest';
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
} as const;

async function told(
  make: (say: WriteLine) => Promise<string>,
  signal = new AbortController().signal,
) {
  const lines: string[] = [];
  const logs = { append: (_: string, __: string, line: string) => void lines.push(line) };
  await withBuildLog({ spec: { ...spec, ports: [] }, logs, signal }, make).catch(() => undefined);
  return lines;
}

const BEGUN = 'Release 7: fetching https://git.example/shop.git at main';
const fails = (error: Error) => () => Promise.reject(error);

it('ends with what happened and what to do about it, below what was seen', async () => {
  const failure = new EngineFailure('build-failed', ['npm run build ended with code 1', 'more']);
  expect(await told(fails(failure))).toEqual([
    BEGUN,
    'npm run build ended with code 1',
    'The build job failed. Mend what the last lines tell, and push or save again.',
  ]);
});

it('does not repeat what was the last line anyway', async () => {
  const fatal = 'fatal: could not find remote ref nowhere';
  const lines = await told((say) => {
    say(fatal);
    return Promise.reject(new EngineFailure('ref-not-found', [fatal]));
  });
  expect(lines).toEqual([
    BEGUN,
    fatal,
    'The repository has no branch, tag or commit of this name. Check the ref, or push it first.',
  ]);
});

it('tells a surprise without its words', async () => {
  expect(await told(fails(new Error('EPIPE /srv/secret')))).toEqual([
    BEGUN,
    'Something went wrong on the server. It is tried again by itself. The operator finds what in the log of the server.',
  ]);
});

it('tells the end of a build that was finished, and of one that was stopped', async () => {
  expect(await told(async () => 'a'.repeat(40))).toEqual([BEGUN, 'The build is finished']);
  const stopped = AbortSignal.abort();
  expect(await told(fails(new Error('aborted')), stopped)).toEqual([
    BEGUN,
    'The build was stopped',
  ]);
});
