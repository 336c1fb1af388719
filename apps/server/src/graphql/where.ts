import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { GraphqlProblem } from './graphql-problem.ts';
import type { ResourceColumn } from './resource-columns.ts';

/** Hasura's `resources_bool_exp`, already checked against the schema. */
export type Where = { [key: string]: unknown };

type Builder = ExpressionBuilder<Schema, 'public.resources'>;
type Condition = Expression<SqlBool>;

const COMPARISONS = {
  _eq: '=',
  _neq: '<>',
  _gt: '>',
  _gte: '>=',
  _lt: '<',
  _lte: '<=',
} as const;

export function conditionOf(where: Where | null, builder: Builder): Condition {
  if (where === null) throw new GraphqlProblem('validation-failed', 'unexpected null value');
  return builder.and(Object.entries(where).map(([key, operand]) => clause(key, operand, builder)));
}

function clause(key: string, operand: unknown, builder: Builder): Condition {
  switch (key) {
    case '_and':
      return builder.and(list(operand).map((each) => conditionOf(each, builder)));
    case '_or':
      return builder.or(list(operand).map((each) => conditionOf(each, builder)));
    case '_not':
      return builder.not(conditionOf(operand as Where | null, builder));
    default:
      return builder.and(
        Object.entries((operand ?? {}) as Where).map(([operator, value]) =>
          comparison(key as ResourceColumn, operator, value, builder),
        ),
      );
  }
}

function comparison(
  column: ResourceColumn,
  operator: string,
  value: unknown,
  builder: Builder,
): Condition {
  const operand = sql.ref(`public.resources.${column}`);
  if (value === null) throw new GraphqlProblem('validation-failed', 'unexpected null value');
  if (operator === '_is_null') return value ? sql`${operand} is null` : sql`${operand} is not null`;
  if (operator === '_in' || operator === '_nin') {
    const values = value as unknown[];
    if (values.length === 0) return builder.lit(operator === '_nin');
    const listed = sql.join(values.map((each) => operandOf(column, each)));
    return operator === '_in' ? sql`${operand} in (${listed})` : sql`${operand} not in (${listed})`;
  }
  const symbol = COMPARISONS[operator as keyof typeof COMPARISONS];
  return sql`${operand} ${sql.raw(symbol)} ${operandOf(column, value)}`;
}

function operandOf(column: ResourceColumn, value: unknown) {
  return column === 'values' ? sql`${JSON.stringify(value)}::jsonb` : sql`${value}`;
}

function list(operand: unknown): Where[] {
  return (operand ?? []) as Where[];
}
