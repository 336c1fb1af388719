import { expect, it } from 'vitest';
import { createBackground } from '../background.ts';
import { respondInFixedTime } from './answer-alike.ts';

function watched() {
  const errors: unknown[] = [];
  return { errors, background: createBackground({ logError: (error) => void errors.push(error) }) };
}

it('answers before work that never ends, and after work that ends at once', async () => {
  const { errors, background } = watched();
  const done: string[] = [];
  await respondInFixedTime(() => new Promise(() => {}), { background });
  await respondInFixedTime(async () => void done.push('mailed'), { background });
  expect(done).toEqual(['mailed']);
  expect(errors).toEqual([]);
});

it('answers as ever when the work fails, and reports why', async () => {
  const { errors, background } = watched();
  const failure = new Error('No mail today');
  await respondInFixedTime(() => Promise.reject(failure), { background });
  expect(errors).toEqual([failure]);
});
