import { parse } from 'graphql';
import { expect, it } from 'vitest';
import { ROW_TABLES } from '../../db/change.ts';
import { TABLES } from '../tables/tables.ts';
import { tablesRead } from './tables-read.ts';

it.each([
  ['{ resources { id } }', ['resources']],
  ['{ resources_by_pk(id: "1") { id } }', ['resources']],
  ['{ resources_aggregate { aggregate { count } } }', ['resources']],
  ['{ events(where: {app_id: {_eq: "1"}}) { kind } }', ['events']],
  ['{ mine: releases { number app { id } } }', ['releases', 'resources']],
  ['{ resources { id events { kind } } }', ['resources', 'events']],
  ['{ resources(where: {releases: {number: {_eq: 1}}}) { id } }', ['resources', 'releases']],
  ['{ resources(order_by: {events_aggregate: {count: asc}}) { id } }', ['resources', 'events']],
  ['{ ...all } fragment all on query_root { events { id } }', ['events']],
  ['subscription ($by: uuid!) { resources(where: {user_id: {_eq: $by}}) { id } }', ['resources']],
  ['subscription ($w: resources_bool_exp!) { resources(where: $w) { id } }', [...ROW_TABLES]],
  ['{ __typename }', [...ROW_TABLES]],
])('%s', (document, tables) => {
  expect([...tablesRead(parse(document))].sort()).toEqual([...tables].sort());
});

it.each(
  Object.values(TABLES).flatMap(({ name, relationships }) =>
    Object.entries(relationships).map(([way, { to }]) => [name, way, to]),
  ),
)('knows the way from %s through %s to %s', (name, way, to) => {
  const tables = tablesRead(parse(`{ ${name} { ${way} { __typename } } }`));
  expect([...tables].sort()).toEqual([...new Set([name, to])].sort());
});
