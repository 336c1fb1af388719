import { afterAll, beforeAll, expect, it } from 'vitest';
import { type GraphqlFixture, startGraphqlFixture } from '../../test/graphql/graphql-fixture.ts';
import { APP_RULES } from '../../test/values.ts';
import { createExecutor, type Executor } from './executor.ts';
import type { GraphqlCaller } from './resolve-caller.ts';
import type { StreamCursor } from './sql/stream-sql.ts';

let graphql: GraphqlFixture;
let executor: Executor;
let caller: GraphqlCaller;
beforeAll(async () => {
  graphql = await startGraphqlFixture();
  const { backend, ada } = graphql;
  const logError = (error: unknown) => void backend.errors.push(error);
  executor = createExecutor({
    pool: backend.pool,
    rules: APP_RULES,
    isSignedIn: async () => true,
    logError,
  });
  caller = { role: 'user', userId: ada.user.id, sessionId: undefined, expiresAt: 0 };
  // Three times with several rows each.
  await backend.pool.query(
    `insert into public.resources (user_id, chart_name, chart_version, values, created_at)
     select $1, 'project', '0.0', jsonb_build_object('number', n), timestamptz '2026-01-01T00:00:00.000001Z' + n / 3 * interval '1 microsecond'
     from generate_series(0, 8) n`,
    [ada.user.id],
  );
});
afterAll(() => graphql.stop());

async function numbersOf(args: string): Promise<number[][]> {
  const query = `subscription { resources_stream(${args}) { number: values(path: "number") } }`;
  const operation = executor.parse({ query }, caller);
  const batches: number[][] = [];
  for (let after: StreamCursor | null | undefined; after !== null; ) {
    const { data, next } = await executor.executeStream(operation, caller, after);
    const { resources_stream } = data as { resources_stream: { number: number }[] };
    batches.push(resources_stream.map(({ number }) => number));
    after = next;
  }
  return batches;
}

it.each([2, 4, 100])(
  'sends each row once, in batches of %i, also rows with equal times',
  async (size) => {
    const args = `batch_size: ${size}, cursor: {initial_value: {created_at: null}}`;
    const batches = await numbersOf(args);
    expect(batches.flat().sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(Math.max(...batches.map((batch) => batch.length))).toBeLessThanOrEqual(size);
    expect(batches.at(-1)).toEqual([]);
  },
);

it('starts after the initial value, in either direction, and applies the condition', async () => {
  const at = '{initial_value: {created_at: "2026-01-01T00:00:00.000002Z"}';
  const after = await numbersOf(`batch_size: 9, cursor: ${at}}`);
  expect(after.flat().sort()).toEqual([6, 7, 8]);
  const before = await numbersOf(`batch_size: 9, cursor: ${at}, ordering: DESC}`);
  expect(before.flat().sort()).toEqual([0, 1, 2]);
  const filtered = `batch_size: 9, cursor: ${at}}, where: {values: {_contains: {number: 7}}}`;
  expect((await numbersOf(filtered)).flat()).toEqual([7]);
});

it.each([
  ['batch_size: 0, cursor: {initial_value: {id: null}}', 'batch_size must be at least 1'],
  ['batch_size: 1, cursor: []', 'exactly one column'],
  ['batch_size: 1, cursor: {initial_value: {}}', 'exactly one column'],
  ['batch_size: 1, cursor: {initial_value: {id: null, status: null}}', 'exactly one column'],
  ['batch_size: 1, cursor: {initial_value: {values: null}}', 'cannot follow a jsonb column'],
])('refuses %s', async (args, message) => {
  await expect(numbersOf(args)).rejects.toThrow(message);
});

it('does not fetch a batch that is too large', async () => {
  const query =
    'subscription { resources_stream(batch_size: 9, cursor: {initial_value: {id: null}}) { id } }';
  const operation = executor.parse({ query }, caller);
  const limited = (maxBytes: number) =>
    executor.executeStream(operation, caller, undefined, { maxBytes });
  await expect(limited(9 * 36)).rejects.toThrow('the result is too large');
  expect(await limited(9 * 100)).toHaveProperty('data.resources_stream.length', 9);
});
