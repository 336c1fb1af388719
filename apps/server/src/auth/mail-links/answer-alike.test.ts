import { expect, it } from 'vitest';
import { createBackground } from '../background.ts';
import { answerAlike } from './answer-alike.ts';

function watched() {
  const errors: unknown[] = [];
  return { errors, background: createBackground({ logError: (error) => void errors.push(error) }) };
}

it('answers before work that never ends, and after work that ends at once', async () => {
  const { errors, background } = watched();
  const done: string[] = [];
  await answerAlike(() => new Promise(() => {}), { background });
  await answerAlike(async () => void done.push('mailed'), { background });
  expect(done).toEqual(['mailed']);
  expect(errors).toEqual([]);
});

it('answers as ever when the work fails, and reports why', async () => {
  const { errors, background } = watched();
  const failure = new Error('No mail today');
  await answerAlike(() => Promise.reject(failure), { background });
  expect(errors).toEqual([failure]);
});
