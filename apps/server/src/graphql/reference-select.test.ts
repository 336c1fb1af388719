import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type GraphqlFixture, startGraphqlFixture } from '../../test/graphql/graphql-fixture.ts';
import { OPERATORS, ROW, SELECTION } from '../../test/graphql/random-queries.ts';
import { type ReferenceRow, referenceSelect } from '../../test/graphql/reference-select.ts';

const ROWS = 60;
const RUNS = 600;
const QUERY = `query (
  $where: resources_bool_exp, $order_by: [resources_order_by!], $limit: Int, $offset: Int,
  $distinct_on: [resources_select_column!]
) {
  resources(where: $where, order_by: $order_by, limit: $limit, offset: $offset, distinct_on: $distinct_on) { id }
  resources_aggregate(where: $where) { aggregate { count } }
}`;

let graphql: GraphqlFixture;
let rows: ReferenceRow[];
beforeAll(async () => {
  graphql = await startGraphqlFixture();
  const { db } = graphql.backend;
  // The reference compares texts by code unit, whatever the collation of the database is. A trigger that names the column must go.
  await sql`drop trigger sync_domain_claims on public.resources`.execute(db);
  for (const column of ['chart_name', 'chart_version', 'status', 'message']) {
    await sql`alter table public.resources alter column ${sql.ref(column)} type text collate "C"`.execute(
      db,
    );
  }
  const eve = await graphql.backend.signUp();
  const samples = fc.sample(ROW, { numRuns: ROWS, seed: 4 });
  for (const userId of [graphql.ada.user.id, eve.user.id]) {
    for (const row of samples) {
      await db
        .insertInto('public.resources')
        .values({
          ...row,
          user_id: userId,
          values: JSON.stringify(row.values),
          pin: JSON.stringify(row.pin),
        })
        .execute();
    }
  }
  const all = `{ resources { id chart_name chart_version values pin status message deleted created_at generation } }`;
  rows = (await graphql.result(all)) as ReferenceRow[];
  expect(rows).toHaveLength(ROWS);
});
afterAll(() => graphql.stop());

it('returns the same rows as a reference implementation in memory', async () => {
  const property = fc.asyncProperty(SELECTION, async (selection) => {
    const { data, errors } = await graphql.request(QUERY, selection);
    expect(errors).toBeUndefined();
    expect(data).toEqual({
      resources: referenceSelect(rows, selection).map(({ id }) => ({ id })),
      resources_aggregate: {
        aggregate: { count: referenceSelect(rows, { where: selection.where }).length },
      },
    });
  });
  await fc.assert(property, { numRuns: RUNS });
}, 60_000);

it('is compared with every operator, in conditions that hold for some rows only', () => {
  const selections = fc.sample(SELECTION, { numRuns: RUNS, seed: 1 });
  const selective = selections.filter(({ where }) => {
    const count = referenceSelect(rows, { where }).length;
    return count > 0 && count < ROWS;
  });
  const text = JSON.stringify(selective);
  expect(OPERATORS.filter((operator) => !text.includes(`"${operator}"`))).toEqual([]);
});
