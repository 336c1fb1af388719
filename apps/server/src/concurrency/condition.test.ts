import { expect, it } from 'vitest';
import { createCondition } from './condition.ts';

it('resumes all waiting callers, but none that waits later', async () => {
  const condition = createCondition();
  const resumed: string[] = [];
  const first = condition.wait().then(() => resumed.push('first'));
  const second = condition.wait().then(() => resumed.push('second'));
  condition.notifyAll();
  await Promise.all([first, second]);
  void condition.wait().then(() => resumed.push('late'));
  await new Promise((resolve) => setImmediate(resolve));
  expect(resumed).toEqual(['first', 'second']);
});

it('ends the wait when the signal is or becomes aborted', async () => {
  const condition = createCondition();
  const abort = new AbortController();
  const waiting = condition.wait(abort.signal);
  abort.abort();
  await waiting;
  await condition.wait(abort.signal);
});
