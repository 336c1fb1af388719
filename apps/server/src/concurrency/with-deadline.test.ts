import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { withDeadline } from './with-deadline.ts';

const LONG_MS = 60_000;

function rejectedWith(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

it('returns the result and leaves no listener behind', async () => {
  const { signal } = new AbortController();
  expect(await withDeadline(signal, LONG_MS, async () => 'done')).toBe('done');
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

it('aborts with the reason of the other signal', async () => {
  const controller = new AbortController();
  const work = withDeadline(controller.signal, LONG_MS, rejectedWith);
  controller.abort(new Error('disconnected'));
  await expect(work).rejects.toThrow('disconnected');
});

it('aborts after the time', async () => {
  const work = withDeadline(new AbortController().signal, 1, rejectedWith);
  await expect(work).rejects.toMatchObject({ name: 'TimeoutError' });
});

it('does not start when the signal has aborted', async () => {
  const work = withDeadline(AbortSignal.abort(new Error('gone')), LONG_MS, async () => 'done');
  await expect(work).rejects.toThrow('gone');
});
