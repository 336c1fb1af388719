import { expect, it } from 'vitest';
import { createWaitingLines } from './waiting-lines.ts';

const never = new AbortController().signal;

it('gives a client one turn at a time, in the order of arrival', async () => {
  const lines = createWaitingLines();
  const served: string[] = [];
  const first = await lines.enter('proxy', never);
  const second = lines.enter('proxy', never).then((release) => {
    served.push('second');
    return release;
  });
  const third = lines.enter('proxy', never).then(() => served.push('third'));
  expect(served).toEqual([]);
  first?.();
  (await second)?.();
  await third;
  expect(served).toEqual(['second', 'third']);
});

it('lets clients not wait for each other', async () => {
  const lines = createWaitingLines();
  await lines.enter('proxy', never);
  expect(await lines.enter('other', never)).toBeDefined();
});

it('limits how many wait, and makes room when a turn begins', async () => {
  const lines = createWaitingLines(1);
  const first = await lines.enter('proxy', never);
  const second = lines.enter('proxy', never);
  expect(await lines.enter('proxy', never)).toBeUndefined();
  first?.();
  (await second)?.();
  expect(await lines.enter('proxy', never)).toBeDefined();
});

it('makes room when a waiting client disconnects', async () => {
  const lines = createWaitingLines(1);
  const first = await lines.enter('proxy', never);
  const gone = new AbortController();
  const waiting = lines.enter('proxy', gone.signal);
  gone.abort(new Error('disconnected'));
  await expect(waiting).rejects.toThrow('disconnected');
  const next = lines.enter('proxy', never);
  first?.();
  expect(await next).toBeDefined();
});
