import { expect, it } from 'vitest';
import { answerAlike } from './answer-alike.ts';

it('answers before work that never ends, and after work that ends at once', async () => {
  const errors: unknown[] = [];
  const logError = (error: unknown) => void errors.push(error);
  const done: string[] = [];
  await answerAlike(() => new Promise(() => {}), { logError });
  await answerAlike(async () => void done.push('mailed'), { logError });
  expect(done).toEqual(['mailed']);
  expect(errors).toEqual([]);
});

it('answers as ever when the work fails, and reports why', async () => {
  const errors: unknown[] = [];
  const failure = new Error('No mail today');
  await answerAlike(() => Promise.reject(failure), {
    logError: (error) => void errors.push(error),
  });
  expect(errors).toEqual([failure]);
});
