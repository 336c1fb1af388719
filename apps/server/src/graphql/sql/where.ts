import { isRecord } from '@longshore/contract';
import { GraphqlProblem } from '../graphql-problem.ts';
import { operatorsOf } from '../tables/operators.ts';
import type { ColumnType, Table } from '../tables/table.ts';
import { relationshipOf, TABLES, typeOf } from '../tables/tables.ts';
import { columnOf, joinCondition } from './join.ts';
import { operandSql } from './operand.ts';
import { visibleRows } from './scope.ts';
import { type Sql, sql } from './sql.ts';
import type { Statement } from './statement.ts';

/** Hasura's `bool_exp` of a table, already checked against the schema. */
export type Where = { [key: string]: unknown };

type Target = { table: Table; alias: string };
type Aliased = Pick<Statement, 'scope' | 'alias'>;

export function conditionOf(where: unknown, target: Target, statement: Aliased): Sql {
  return all(entriesOf(where).map(([key, operand]) => clause(key, operand, target, statement)));
}

function clause(key: string, operand: unknown, target: Target, statement: Aliased): Sql {
  const inner = (where: unknown) => conditionOf(where, target, statement);
  switch (key) {
    case '_and':
      return all(listOf(operand).map(inner));
    case '_or':
      return some(listOf(operand).map(inner));
    case '_not':
      return sql`not (${inner(operand)})`;
  }
  const { table, alias } = target;
  if (Object.hasOwn(table.relationships, key)) return related(key, operand, target, statement);
  requireUnsealed(table, key, operand);
  return comparisons(columnOf(alias, key), typeOf(table, key), operand);
}

/** Equal values have different hashes in different rows, so that a comparison would find nothing. */
function requireUnsealed(table: Table, column: string, operand: unknown): void {
  const key = table.columns[column]?.sealedKey;
  if (key === undefined) return;
  const comparesKey = entriesOf(operand).some(
    ([name, value]) =>
      name === '_cast' || [value].flat().some((each) => isRecord(each) && Object.hasOwn(each, key)),
  );
  if (comparesKey) throw sealedProblem(column, key);
}

export function sealedProblem(column: string, key: string): GraphqlProblem {
  return new GraphqlProblem(
    'not-supported',
    `${column}.${key} is stored encrypted: rows cannot be filtered or ordered by it`,
  );
}

/** A condition on related rows holds if one of them fulfils it. */
function related(key: string, where: unknown, { table, alias }: Target, statement: Aliased): Sql {
  const relationship = relationshipOf(table, key);
  const relatedTarget = { table: TABLES[relationship.to], alias: statement.alias(relationship.to) };
  return sql`exists (
    select from ${visibleRows(relatedTarget.table, statement.scope)} as ${sql.id(relatedTarget.alias)}
    where ${joinCondition(relationship, alias, relatedTarget.alias)} and ${conditionOf(where, relatedTarget, statement)}
  )`;
}

function comparisons(column: Sql, type: ColumnType, operand: unknown): Sql {
  return all(entriesOf(operand).map(([name, value]) => comparison(column, type, name, value)));
}

function comparison(column: Sql, type: ColumnType, name: string, value: unknown): Sql {
  if (value === null) throw unexpectedNull();
  if (name === '_is_null') return value ? sql`${column} is null` : sql`${column} is not null`;
  if (name === '_cast') {
    const casts = entriesOf(value).map(([, text]) =>
      comparisons(sql`${column}::text`, 'String', text),
    );
    return all(casts);
  }
  const operator = operatorsOf(type)[name];
  if (operator === undefined) throw new Error(`${type} has no operator ${name}`);
  const { infix, operand } = operator;
  return sql`${column} ${sql.raw(infix)} (${operandSql(type, operand, value)})`;
}

function all(conditions: Sql[]): Sql {
  return conditions.length === 0 ? sql`true` : sql`(${sql.join(conditions, ' and ')})`;
}

function some(conditions: Sql[]): Sql {
  return conditions.length === 0 ? sql`false` : sql`(${sql.join(conditions, ' or ')})`;
}

function entriesOf(value: unknown): [string, unknown][] {
  if (value === null) throw unexpectedNull();
  return Object.entries((value ?? {}) as Where);
}

function listOf(value: unknown): unknown[] {
  if (value === null) throw unexpectedNull();
  return value as unknown[];
}

function unexpectedNull(): GraphqlProblem {
  return new GraphqlProblem('validation-failed', 'unexpected null value');
}
