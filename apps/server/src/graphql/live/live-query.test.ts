import { parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { ROW_TABLES } from '../../db/change.ts';
import type { Operation } from '../operation.ts';
import type { GraphqlCaller } from '../resolve-caller.ts';
import { TABLES } from '../tables/tables.ts';
import { liveQueryOf, tablesRead } from './live-query.ts';

const ADA: GraphqlCaller = { role: 'user', userId: 'ada', sessionId: 's1', expiresAt: 1 };
const QUERY = 'subscription ($id: uuid) { resources(where: {id: {_eq: $id}}) { id } }';

function keyOf(caller: GraphqlCaller, request: Record<string, unknown> = {}): string {
  const operation = { document: parse(QUERY) } as Operation;
  const subscription = { request: { query: QUERY, ...request }, operation, caller };
  return liveQueryOf(subscription, { execute: async () => '' }).key;
}

describe('the key of a live query', () => {
  it('is the same for two sessions of one user', () => {
    expect(keyOf({ ...ADA, sessionId: 's2', expiresAt: 2 })).toBe(keyOf(ADA));
  });

  it.each([
    ['another user', keyOf({ ...ADA, userId: 'eve' })],
    ['another role', keyOf({ role: 'public' })],
    ['other variables', keyOf(ADA, { variables: { id: '1' } })],
    ['another document', keyOf(ADA, { query: `${QUERY} ` })],
    ['another operation', keyOf(ADA, { operationName: 'Other' })],
  ])('differs for %s', (_, key) => {
    expect(key).not.toBe(keyOf(ADA));
  });
});

describe('the tables that are read', () => {
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
  ])('of %s', (document, tables) => {
    expect([...tablesRead(parse(document))].sort()).toEqual([...tables].sort());
  });

  it.each(
    Object.values(TABLES).flatMap(({ name, relationships }) =>
      Object.entries(relationships).map(([relationship, { to }]) => [name, relationship, to]),
    ),
  )('%s read through %s: %s', (name, relationship, to) => {
    const tables = tablesRead(parse(`{ ${name} { ${relationship} { __typename } } }`));
    expect([...tables].sort()).toEqual([...new Set([name, to])].sort());
  });
});
