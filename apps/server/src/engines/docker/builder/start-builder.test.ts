import { expect, it } from 'vitest';
import { waitUntilAnswers } from './start-builder.ts';

it('asks a builder whether it is ready only when its socket exists, until it is', async () => {
  const sockets = [false, false, true, true];
  const asked: boolean[] = [];
  const hasSocket = async () => sockets.shift() ?? true;
  const answers = async () => {
    asked.push(sockets.length === 0);
    return asked.length === 2;
  };
  await waitUntilAnswers({ hasSocket, answers }, new AbortController().signal);
  expect(asked).toEqual([false, true]);
});
