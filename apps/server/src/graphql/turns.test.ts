import { expect, it } from 'vitest';
import { createTurns } from './turns.ts';

const NEVER = new AbortController().signal;

it('lets each caller have a few turns at once, and nobody wait for another caller', async () => {
  const take = createTurns(2);
  const began: string[] = [];
  const begin = async (name: string, key: string) => {
    const leave = await take(key, NEVER);
    began.push(name);
    return leave;
  };
  const leaveFirst = await begin('ada 1', 'ada');
  await begin('ada 2', 'ada');
  const third = begin('ada 3', 'ada');
  await begin('eve 1', 'eve');
  expect(began).toEqual(['ada 1', 'ada 2', 'eve 1']);
  leaveFirst();
  await third;
  expect(began).toEqual(['ada 1', 'ada 2', 'eve 1', 'ada 3']);
});

it('lets one who waits give up', async () => {
  const take = createTurns(1);
  const leave = await take('ada', NEVER);
  const calling = new AbortController();
  const waiting = take('ada', calling.signal);
  calling.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
  leave();
  (await take('ada', NEVER))();
});
