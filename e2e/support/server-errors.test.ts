import { expect, it } from 'vitest';
import { lastErrors } from './server-errors.ts';

const entry = (level: number, message: string) =>
  JSON.stringify({ level, time: 'T', err: { message }, msg: 'unexpected error' });

it('finds the errors of all servers, each as one line', () => {
  const first = ['Starting', entry(30, 'fine'), entry(50, 'mount failed:\n no space')].join('\n');
  const second = `{"level":50,"time":"T","msg":"request failed"}\n{"level":50,"ti`;
  expect(lastErrors([first, second])).toEqual([
    'T unexpected error: mount failed: no space',
    'T request failed: ',
  ]);
});

it('keeps the last ones, and shortens long ones', () => {
  const errors = lastErrors([
    Array.from({ length: 30 }, (_, at) => entry(50, `${at} ${'x'.repeat(9_999)}`)).join('\n'),
  ]);
  expect(errors).toHaveLength(10);
  expect(errors[0]).toMatch(/^T unexpected error: 20 x/);
  expect(errors[0]).toHaveLength(600);
});
