import { expect, it } from 'vitest';
import { EngineFailure, toEngineFailure } from './failure.ts';

it.each(['ENOSPC', 'EDQUOT'])(
  'reports %s as disk-full, also as the cause of another error',
  (code) => {
    const cause = Object.assign(new Error('write'), { code });
    expect(toEngineFailure(cause)).toMatchObject({ reason: 'disk-full', cause });
    const wrapped = new EngineFailure('engine-failed', ['It could not be started'], { cause });
    expect(toEngineFailure(wrapped)).toMatchObject({ reason: 'disk-full' });
  },
);

it('keeps an expected failure and reports every other error as engine-failed', () => {
  const failure = new EngineFailure('build-failed', ['exit code 1'], { cause: new Error('no') });
  expect(toEngineFailure(failure)).toBe(failure);
  const surprise = new TypeError('oops');
  expect(toEngineFailure(surprise)).toMatchObject({ reason: 'engine-failed', cause: surprise });
});
