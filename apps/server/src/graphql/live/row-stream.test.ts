import { createSimulatedClock } from '@longshore/testkit';
import { expect, it } from 'vitest';
import type { GraphqlCode } from '../graphql-problem.ts';
import type { HasuraErrors } from '../hasura-error.ts';
import { createRowStream } from './row-stream.ts';

const failure = (code: GraphqlCode): HasuraErrors => ({
  errors: [{ message: code, extensions: { code, path: '$' } }],
});

/** Rows are numbers, two per batch. The client takes a batch only when `read` is called. */
function streamOf(...first: number[]) {
  const clock = createSimulatedClock(0);
  const rows = [...first];
  const received: unknown[] = [];
  const takes: (() => void)[] = [];
  let problem: HasuraErrors | undefined;
  const stream = createRowStream<number>({
    clock,
    schedule: (work) => void work(),
    readBatch: async (after = 0) => {
      if (problem !== undefined) return problem;
      const later = rows.filter((row) => row > after).slice(0, 2);
      return { text: JSON.stringify(later), next: later.at(-1) };
    },
    send: ({ text }) => {
      received.push(JSON.parse(text));
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
  stream.invalidate();
  return { stream, clock, rows, received, read, fail };
}

it('sends each row once, batch after batch', async () => {
  const { received, read } = streamOf(1, 2, 3, 4, 5);
  for (let batch = 0; batch < 5; batch += 1) await read();
  expect(received).toEqual([[1, 2], [3, 4], [5]]);
});

it('sends rows that are added later, and nothing while there are none', async () => {
  const { received, read, rows, stream } = streamOf();
  await read();
  expect(received).toEqual([]);
  rows.push(1);
  stream.invalidate();
  await read();
  expect(received).toEqual([[1]]);
});

it('waits for a slow client without leaving rows out', async () => {
  const { received, read, rows, stream, clock } = streamOf(1, 2, 3);
  await clock.advance(60_000);
  rows.push(4);
  stream.invalidate();
  await clock.advance(60_000);
  expect(received).toEqual([[1, 2]]);
  await read();
  expect(received).toEqual([
    [1, 2],
    [3, 4],
  ]);
});

it('continues after an outage of the database', async () => {
  const { received, read, rows, stream, clock, fail } = streamOf(1);
  await read();
  rows.push(2);
  fail(failure('unexpected'));
  stream.invalidate();
  await clock.advance(60_000);
  expect(received).toEqual([[1]]);
  fail(undefined);
  await clock.advance(5_000);
  expect(received).toEqual([[1], [2]]);
});

it('sends errors of the query', async () => {
  const { received, read, stream, fail } = streamOf();
  await read();
  fail(failure('validation-failed'));
  stream.invalidate();
  await read();
  expect(received).toEqual([failure('validation-failed')]);
});

it('sends nothing after it is stopped', async () => {
  const { received, read, stream } = streamOf(1, 2, 3);
  await Promise.resolve();
  stream.stop();
  await read();
  expect(received.length).toBeLessThanOrEqual(1);
});
