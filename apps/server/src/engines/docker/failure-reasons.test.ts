import { describe, expect, it } from 'vitest';
import { EngineFailure } from '../failure.ts';
import { DockerError, toEngineDown } from './docker-error.ts';
import { isTransient, toStartFailure } from './failure-reasons.ts';

describe('reasons for error messages of Docker', () => {
  it.each([
    ['Bind for 127.0.0.1:20000 failed: port is already allocated', true],
    ['network 0123abcd not found', true],
    ['No command specified', false],
  ])('checks whether a start is retried at once: %s', (message, isRetried) => {
    expect(isTransient(new DockerError(500, message))).toBe(isRetried);
  });
});

it.each(['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'EACCES'])(
  'reports socket error %s as engine-down',
  (code) => {
    expect(toEngineDown(Object.assign(new Error('x'), { code }))).toMatchObject({
      reason: 'engine-down',
    });
  },
);

it('returns unknown errors unchanged', () => {
  const problem = new DockerError(500, 'something new');
  expect(toStartFailure(problem, { number: 1 })).toBe(problem);
  expect(toEngineDown(problem)).toBe(problem);
  expect(toEngineDown(problem)).not.toBeInstanceOf(EngineFailure);
});
