import { createSimulatedClock } from '@longshore/testkit';
import { describe, expect, it } from 'vitest';
import type { LiveAnswer } from './live-result.ts';
import { createSharedQuery } from './shared-query.ts';

const AWAY = failure('unexpected');

function failure(code: string): object {
  return { errors: [{ message: code, extensions: { code, path: '$' } }] };
}

/** A query on rows that can be changed, each execution of which takes 10 ms. */
function shared(first: object = { data: 0 }) {
  const clock = createSimulatedClock(0);
  const runs: number[] = [];
  let rows = first;
  const query = createSharedQuery({
    clock,
    schedule: (work) => void work(),
    ask: () => {
      const answer = JSON.stringify(rows);
      runs.push(clock.now());
      return new Promise((resolve) => clock.setTimeout(() => resolve(answer), 10));
    },
  });
  const read = () => {
    const answers: unknown[] = [];
    const reader = (answer: LiveAnswer) => void answers.push(JSON.parse(answer.text));
    query.add(reader);
    return { answers, reader };
  };
  const change = (next: object) => {
    rows = next;
    query.touch();
  };
  return { clock, query, read, change, runs };
}

it('answers at once, and again after a change', async () => {
  const { clock, read, change } = shared();
  const { answers } = read();
  await clock.advance(10);
  expect(answers).toEqual([{ data: 0 }]);
  change({ data: 1 });
  await clock.advance(100);
  expect(answers).toEqual([{ data: 0 }, { data: 1 }]);
});

it('says nothing when the change altered nothing', async () => {
  const { clock, read, change, runs } = shared();
  const { answers } = read();
  await clock.advance(50);
  change({ data: 0 });
  await clock.advance(50);
  expect(runs).toHaveLength(2);
  expect(answers).toEqual([{ data: 0 }]);
});

it('runs once for all who read it, and gives them one text', async () => {
  const { clock, query, runs } = shared();
  const texts: string[] = [];
  for (let count = 0; count < 100; count += 1) query.add(({ text }) => void texts.push(text));
  await clock.advance(100);
  expect(runs.length).toBeLessThanOrEqual(2);
  expect(texts).toEqual(Array(100).fill('{"data":0}'));
});

it('gives a newcomer what is true when it comes, and those who have it nothing', async () => {
  const { clock, read } = shared();
  const early = read();
  await clock.advance(100);
  const late = read();
  await clock.advance(100);
  expect([early.answers, late.answers]).toEqual([[{ data: 0 }], [{ data: 0 }]]);
});

it('runs again when something changed after it had begun', async () => {
  const { clock, read, change } = shared();
  const { answers } = read();
  await clock.advance(5);
  change({ data: 1 });
  await clock.advance(100);
  expect(answers).toEqual([{ data: 0 }, { data: 1 }]);
});

it('counts a burst of changes as few, and ends with the last', async () => {
  const { clock, read, change, runs } = shared();
  const { answers } = read();
  for (let row = 1; row <= 1_000; row += 1) {
    change({ data: row });
    await clock.advance(1);
  }
  await clock.advance(100);
  expect(answers.at(-1)).toEqual({ data: 1_000 });
  expect(runs.length).toBeLessThanOrEqual(26);
});

it('stops with its last reader, even while it rests', async () => {
  const { clock, query, read, change, runs } = shared();
  const { reader } = read();
  await clock.advance(11);
  change({ data: 1 });
  expect(query.remove(reader)).toBe(true);
  await clock.advance(1_000);
  expect(runs).toHaveLength(1);
  expect(clock.pending()).toBe(0);
});

describe('failures', () => {
  it('are passed on when they are the reader’s own', async () => {
    const { clock, read } = shared(failure('data-exception'));
    const { answers } = read();
    await clock.advance(10);
    expect(answers).toEqual([failure('data-exception')]);
  });

  it('of the database are tried again, later each time, and not told', async () => {
    const { clock, read, change, runs } = shared(AWAY);
    const { answers } = read();
    await clock.advance(1_000);
    expect(answers).toEqual([]);
    expect(runs).toEqual([0, 110, 320, 730]);
    change({ data: 1 });
    await clock.advance(5_000);
    expect(answers).toEqual([{ data: 1 }]);
  });

  it('keep what the reader has, and nothing that changed meanwhile is lost', async () => {
    const { clock, read, change } = shared();
    const { answers } = read();
    await clock.advance(50);
    change(AWAY);
    await clock.advance(60_000);
    change({ data: 2 });
    await clock.advance(6_000);
    expect(answers).toEqual([{ data: 0 }, { data: 2 }]);
  });
});
