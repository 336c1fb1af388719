import { type DocumentNode, Kind, visit } from 'graphql';
import { ROW_TABLES, type RowTable } from '../../db/change.ts';
import type { Executor } from '../executor.ts';
import type { Operation, OperationRequest } from '../operation.ts';
import type { GraphqlCaller } from '../resolve-caller.ts';
import type { StreamCursor } from '../sql/stream-sql.ts';
import { TABLES } from '../tables/tables.ts';
import type { LiveQuery, StreamQuery } from './live-queries.ts';
import type { Rows } from './row-changes.ts';

export type SubscriptionRequest = {
  request: OperationRequest;
  operation: Operation;
  caller: GraphqlCaller;
};

export function liveQueryOf(
  { request, operation, caller }: SubscriptionRequest,
  { execute }: Pick<Executor, 'execute'>,
): LiveQuery {
  const { query, variables, operationName } = request;
  return {
    ...rowsOf(operation, caller),
    key: JSON.stringify([scopeOf(caller), query, variables, operationName]),
    execute: () => execute(operation, caller),
  };
}

export function streamQueryOf(
  { operation, caller }: SubscriptionRequest,
  { executeStream, errorsOf }: Pick<Executor, 'executeStream' | 'errorsOf'>,
): StreamQuery<StreamCursor> {
  return {
    ...rowsOf(operation, caller),
    async readBatch(after) {
      try {
        const { data, next } = await executeStream(operation, caller, after);
        return { text: JSON.stringify({ data }), next: next ?? undefined };
      } catch (error) {
        return errorsOf(error);
      }
    },
  };
}

function rowsOf({ document }: Operation, caller: GraphqlCaller): Rows {
  return {
    owner: caller.role === 'user' ? caller.userId : undefined,
    tables: tablesRead(document),
  };
}

/** The part of a caller that decides which rows it sees; all sessions of a user see the same. */
function scopeOf(caller: GraphqlCaller): unknown {
  return caller.role === 'user' ? [caller.role, caller.userId] : [caller.role];
}

const ALL_TABLES: ReadonlySet<RowTable> = new Set(ROW_TABLES);

/** Names of fields that read a table: `resources`, `resources_by_pk` …, and relationships to it: `app`, `releases_aggregate` … */
const FIELD_NAMES: readonly (readonly [RegExp, RowTable])[] = Object.values(TABLES).flatMap(
  ({ name, relationships }) => [
    [new RegExp(`^${name}(_|$)`), name] as const,
    ...Object.entries(relationships).map(
      ([relationship, { to }]) => [new RegExp(`^${relationship}(_aggregate)?$`), to] as const,
    ),
  ],
);

/**
 * The tables that a document may read, found by names alone: one table too many costs an execution, one too few would
 * miss a change. A document without any such name counts as reading all tables.
 */
export function tablesRead(document: DocumentNode): ReadonlySet<RowTable> {
  const tables = new Set<RowTable>();
  const addTablesOf = (name: string) => {
    for (const [pattern, table] of FIELD_NAMES) if (pattern.test(name)) tables.add(table);
  };
  visit(document, {
    [Kind.FIELD]: (field) => addTablesOf(field.name.value),
    [Kind.OBJECT_FIELD]: (field) => addTablesOf(field.name.value),
    // A condition in a variable can name any table.
    [Kind.NAMED_TYPE]: (type) => {
      if (!/_(bool_exp|order_by)$/.test(type.name.value)) return;
      for (const table of ALL_TABLES) tables.add(table);
    },
  });
  return tables.size === 0 ? ALL_TABLES : tables;
}
