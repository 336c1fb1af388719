import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type GraphqlWorld, startGraphqlWorld } from '../../test/graphql/graphql-world.ts';
import { type NaiveRow, naiveSelect } from '../../test/graphql/naive-rows.ts';
import { OPERATORS, ROW, SELECTION } from '../../test/graphql/random-queries.ts';

const ROWS = 60;
const RUNS = 600;
const QUERY = `query (
  $where: resources_bool_exp, $order_by: [resources_order_by!], $limit: Int, $offset: Int,
  $distinct_on: [resources_select_column!]
) {
  resources(where: $where, order_by: $order_by, limit: $limit, offset: $offset, distinct_on: $distinct_on) { id }
  resources_aggregate(where: $where) { aggregate { count } }
}`;

let world: GraphqlWorld;
let rows: NaiveRow[];
beforeAll(async () => {
  world = await startGraphqlWorld();
  const { db } = world.backend;
  // Words are compared letter by letter here, whatever language the database speaks.
  for (const column of ['chart_name', 'chart_version', 'status', 'message']) {
    await sql`alter table public.resources alter column ${sql.ref(column)} type text collate "C"`.execute(
      db,
    );
  }
  const eve = await world.backend.signUp();
  const made = fc.sample(ROW, { numRuns: ROWS, seed: 4 });
  for (const userId of [world.ada.user.id, eve.user.id]) {
    for (const row of made) {
      await db
        .insertInto('public.resources')
        .values({ ...row, user_id: userId, values: JSON.stringify(row.values) })
        .execute();
    }
  }
  const all = `{ resources { id chart_name chart_version values status message deleted created_at generation } }`;
  rows = (await world.answer(all)) as NaiveRow[];
  expect(rows).toHaveLength(ROWS);
});
afterAll(() => world.stop());

it('answers any query as a naive filter in memory does', async () => {
  const property = fc.asyncProperty(SELECTION, async (selection) => {
    const { data, errors } = await world.ask(QUERY, selection);
    expect(errors).toBeUndefined();
    expect(data).toEqual({
      resources: naiveSelect(rows, selection).map(({ id }) => ({ id })),
      resources_aggregate: {
        aggregate: { count: naiveSelect(rows, { where: selection.where }).length },
      },
    });
  });
  await fc.assert(property, { numRuns: RUNS });
}, 60_000);

it('is asked for every operator, by conditions that choose some rows and not others', () => {
  const selections = fc.sample(SELECTION, { numRuns: RUNS, seed: 1 });
  const choosing = selections.filter(({ where }) => {
    const count = naiveSelect(rows, { where }).length;
    return count > 0 && count < ROWS;
  });
  const text = JSON.stringify(choosing);
  expect(OPERATORS.filter((operator) => !text.includes(`"${operator}"`))).toEqual([]);
});
