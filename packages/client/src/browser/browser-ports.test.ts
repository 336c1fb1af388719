import { eventually } from '@longshore/testkit';
import { describe, expect, it } from 'vitest';
import { browserLock, browserTabs } from './browser-ports.ts';

describe('the tabs of a browser', () => {
  it('receive messages of other tabs, but not their own', async () => {
    const [one, other] = [browserTabs(), browserTabs()];
    const received: unknown[] = [];
    one?.listen((message) => received.push(['one', message]));
    other?.listen((message) => received.push(['other', message]));
    one?.post('hello');
    await eventually(() => received.length === 1);
    expect(received).toEqual([['other', 'hello']]);
    one?.close();
    other?.close();
  });

  it('hold the lock one after the other', async () => {
    const steps: string[] = [];
    const job = (name: string) => async () => {
      steps.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      steps.push(`${name} ends`);
    };
    const { signal } = new AbortController();
    await Promise.all([browserLock(job('one'), signal), browserLock(job('other'), signal)]);
    expect(steps).toEqual(['one begins', 'one ends', 'other begins', 'other ends']);
  });

  it('stop waiting for the lock when aborted', async () => {
    let release: (() => void) | undefined;
    const job = () =>
      new Promise<void>((resolve) => {
        release = resolve;
      });
    const lockHolder = browserLock(job, new AbortController().signal);
    const aborted = browserLock(() => Promise.resolve(), AbortSignal.abort());
    await expect(aborted).rejects.toThrow();
    (await eventually(() => release))();
    await lockHolder;
  });
});
