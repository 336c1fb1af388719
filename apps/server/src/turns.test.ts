import { expect, it } from 'vitest';
import { createTurns } from './turns.ts';

it('lets who works on the same thing wait, even for who fails, and nobody else', async () => {
  const inTurn = createTurns();
  const done: string[] = [];
  const first = Promise.withResolvers<void>();
  const failing = inTurn('a', async () => {
    await first.promise;
    done.push('first');
    throw new Error('failed');
  });
  const second = inTurn('a', async () => done.push('second'));
  await inTurn('b', async () => done.push('other'));
  first.resolve();
  await expect(failing).rejects.toThrow('failed');
  await second;
  expect(done).toEqual(['other', 'first', 'second']);
});
