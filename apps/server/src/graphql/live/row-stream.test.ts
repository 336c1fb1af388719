import { createSimulatedClock } from '@longshore/testkit';
import { expect, it } from 'vitest';
import type { HasuraErrors } from '../hasura-error.ts';
import { createRowStream } from './row-stream.ts';

const failure = (code: string): HasuraErrors => ({
  errors: [{ message: code, extensions: { code, path: '$' } }],
});

/** Rows are numbers, two in a batch; the reader takes a batch only when it is told to. */
function streamOf(...first: number[]) {
  const clock = createSimulatedClock(0);
  const rows = [...first];
  const heard: unknown[] = [];
  const takes: (() => void)[] = [];
  let problem: HasuraErrors | undefined;
  const stream = createRowStream<number>({
    clock,
    schedule: (work) => void work(),
    batch: async (after = 0) => {
      if (problem !== undefined) return problem;
      const behind = rows.filter((row) => row > after).slice(0, 2);
      return { text: JSON.stringify(behind), next: behind.at(-1) };
    },
    send: ({ text }) => {
      heard.push(JSON.parse(text));
      return new Promise((resolve) => takes.push(resolve));
    },
  });
  const read = async () => {
    await clock.advance(0);
    takes.shift()?.();
    await clock.advance(10_000);
  };
  const fail = (next: HasuraErrors | undefined) => {
    problem = next;
  };
  stream.touch();
  return { stream, clock, rows, heard, read, fail };
}

it('sends each row once, batch after batch', async () => {
  const { heard, read } = streamOf(1, 2, 3, 4, 5);
  for (let batch = 0; batch < 5; batch += 1) await read();
  expect(heard).toEqual([[1, 2], [3, 4], [5]]);
});

it('sends rows that come later, and nothing while there are none', async () => {
  const { heard, read, rows, stream } = streamOf();
  await read();
  expect(heard).toEqual([]);
  rows.push(1);
  stream.touch();
  await read();
  expect(heard).toEqual([[1]]);
});

it('waits for a slow reader, and leaves nothing out for it', async () => {
  const { heard, read, rows, stream, clock } = streamOf(1, 2, 3);
  await clock.advance(60_000);
  rows.push(4);
  stream.touch();
  await clock.advance(60_000);
  expect(heard).toEqual([[1, 2]]);
  await read();
  expect(heard).toEqual([
    [1, 2],
    [3, 4],
  ]);
});

it('outlives a database that is away', async () => {
  const { heard, read, rows, stream, clock, fail } = streamOf(1);
  await read();
  rows.push(2);
  fail(failure('unexpected'));
  stream.touch();
  await clock.advance(60_000);
  expect(heard).toEqual([[1]]);
  fail(undefined);
  await clock.advance(5_000);
  expect(heard).toEqual([[1], [2]]);
});

it('passes on what is wrong with the question', async () => {
  const { heard, read, stream, fail } = streamOf();
  await read();
  fail(failure('validation-failed'));
  stream.touch();
  await read();
  expect(heard).toEqual([failure('validation-failed')]);
});

it('sends nothing more once it is stopped', async () => {
  const { heard, read, stream } = streamOf(1, 2, 3);
  await Promise.resolve();
  stream.stop();
  await read();
  expect(heard.length).toBeLessThanOrEqual(1);
});
