import { expect, it } from 'vitest';
import { EngineFailure, toEngineFailure } from './failure.ts';

it.each(['ENOSPC', 'EDQUOT'])('calls %s a full disk, also below another error', (code) => {
  const cause = Object.assign(new Error('write'), { code });
  expect(toEngineFailure(cause)).toMatchObject({ reason: 'disk-full', cause });
  const wrapped = new EngineFailure('engine-failed', ['It could not be started'], { cause });
  expect(toEngineFailure(wrapped)).toMatchObject({ reason: 'disk-full' });
});

it('leaves a failure that was foreseen as it is, and blames itself for every other error', () => {
  const failure = new EngineFailure('build-failed', ['exit code 1'], { cause: new Error('no') });
  expect(toEngineFailure(failure)).toBe(failure);
  const surprise = new TypeError('oops');
  expect(toEngineFailure(surprise)).toMatchObject({ reason: 'engine-failed', cause: surprise });
});
