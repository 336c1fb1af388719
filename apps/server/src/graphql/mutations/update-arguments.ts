import { GraphqlProblem } from '../graphql-problem.ts';
import { columnOf } from '../sql/join.ts';
import { operandSql } from '../sql/operand.ts';
import { type Sql, sql } from '../sql/sql.ts';
import { JSONB_UPDATE_OPERATORS } from '../tables/operators.ts';

/** The arguments `_set`, `_append` and so on of an update, as GraphQL passes them. */
export type UpdateArguments = Record<string, unknown>;

/** The columns to set, unchecked. A column that is not named stays. */
export type ColumnChanges = { deleted?: unknown; chart_version?: unknown };

type Operand = { operator: string; value: unknown };

export function columnChanges({ _set }: UpdateArguments): ColumnChanges {
  return (_set ?? {}) as ColumnChanges;
}

/** SQL for the values a row will have: the database evaluates the jsonb operators. Undefined: they stay. */
export function newValues(change: UpdateArguments, alias: string): Sql | undefined {
  const operands = operandsFor('values', change);
  if (operands.length > 1) {
    throw new GraphqlProblem('validation-failed', 'Column found in multiple operators: "values".');
  }
  const [first] = operands;
  if (first === undefined) return undefined;
  const { operator, value } = first;
  if (operator === 'set') {
    return value === null ? sql`null::jsonb` : operandSql('jsonb', 'value', value);
  }
  return applyOperator(columnOf(alias, 'values'), operator, value);
}

function operandsFor(column: string, change: UpdateArguments): Operand[] {
  return ['set', ...Object.keys(JSONB_UPDATE_OPERATORS)].flatMap((operator) => {
    const columns = (change[`_${operator}`] ?? {}) as Record<string, unknown>;
    return Object.hasOwn(columns, column) ? [{ operator, value: columns[column] }] : [];
  });
}

function applyOperator(column: Sql, operator: string, value: unknown): Sql {
  const { cast, infix, isOperandFirst } =
    JSONB_UPDATE_OPERATORS[operator] ?? unknownOperator(operator);
  if (value === null) throw new GraphqlProblem('validation-failed', 'unexpected null value');
  const operand = sql`${cast === 'jsonb' ? JSON.stringify(value) : value}::${sql.raw(cast)}`;
  const [left, right] = isOperandFirst ? [operand, column] : [column, operand];
  return sql`${left} ${sql.raw(infix)} ${right}`;
}

function unknownOperator(operator: string): never {
  throw new Error(`Unknown operator ${operator}`);
}
