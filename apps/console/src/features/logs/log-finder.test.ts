import type { LogLine } from '@longshore/contract';
import { eventually } from '@longshore/testkit';
import { describe, expect, it } from 'vitest';
import { failure } from '../../../test/failure.ts';
import { createFakeLogs } from '../../../test/fake-logs.ts';
import { createLogFinder } from './log-finder.ts';

function openFinder(texts: string[]) {
  let message: string | undefined;
  const fake = createFakeLogs(() => (message === undefined ? undefined : failure(message)));
  fake.stored.push(...texts.map(line));
  const delayed: (() => void)[] = [];
  const finder = createLogFinder({
    app: { projectId: 'p', appId: 'a' },
    logs: fake.service,
    delay(callback) {
      delayed.push(callback);
      return () => delayed.splice(delayed.indexOf(callback), 1);
    },
  });
  return {
    finder,
    delayed,
    endDelay: () => delayed.shift()?.(),
    settled: (state: string) => eventually(() => finder.state().state === state),
    fail: (next: string) => {
      message = next;
    },
  };
}

function line(text: string, index: number): LogLine & { sequence: number } {
  const at = new Date(index).toISOString();
  return { sequence: index + 1, at, name: 'app-1-1', source: 'app', text };
}

describe('searching what the server keeps', () => {
  it('waits until the user has typed, and then finds all lines, newest first', async () => {
    const { finder, delayed, endDelay, settled } = openFinder(['one', 'two', 'One more']);
    finder.search('o', {});
    finder.search('one', {});
    expect(delayed).toHaveLength(1);
    expect(finder.state().state).toBe('waiting');
    endDelay();
    await settled('done');
    expect(finder.state()).toMatchObject({ numbers: [3, 1], until: 4, progress: 1 });
  });

  it('reads page after page, pauses after many hits, and continues', async () => {
    const { finder, endDelay, settled } = openFinder(Array.from({ length: 7_500 }, () => 'hit'));
    finder.search('hit', {});
    endDelay();
    await settled('partial');
    expect(finder.state().numbers).toHaveLength(5_000);
    expect(finder.state().progress).toBeCloseTo(5_000 / 7_500, 2);
    finder.searchMore();
    await settled('done');
    const expected = Array.from({ length: 7_500 }, (_, index) => 7_500 - index);
    expect(finder.state().numbers).toEqual(expected);
  });

  it('finds only lines of the selection', async () => {
    const { finder, endDelay, settled } = openFinder(['hit', 'hit', 'hit']);
    finder.search('hit', { from: 1, to: 1 });
    endDelay();
    await settled('done');
    expect(finder.state().numbers).toEqual([2]);
  });

  it('forgets what it has found when the text changes', async () => {
    const { finder, endDelay, settled } = openFinder(['hit']);
    finder.search('hit', {});
    endDelay();
    await settled('done');
    finder.search('', {});
    expect(finder.state()).toMatchObject({ numbers: [], state: 'idle' });
  });

  it('reports why it failed', async () => {
    const { finder, endDelay, settled, fail } = openFinder(['hit']);
    fail('Network Error');
    finder.search('hit', {});
    endDelay();
    await settled('failed');
    expect(finder.state().message).toBe('Network Error');
  });
});
