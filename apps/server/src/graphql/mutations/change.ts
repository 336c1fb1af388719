import { sql } from 'kysely';
import { GraphqlProblem } from '../graphql-problem.ts';
import { columnOf } from '../sql/joined.ts';
import { operandSql } from '../sql/operand.ts';
import type { Sql } from '../sql/scope.ts';
import { JSONB_CHANGES } from '../tables/jsonb-changes.ts';

/** What `_set`, `_append` and the like of an update say, as GraphQL hands them over. */
export type ChangeArguments = Record<string, unknown>;

/** What is to be set, as it was given. What is not named stays. */
export type Settings = { deleted?: unknown; chart_version?: unknown };

type Named = { operator: string; value: unknown };

export function settingsOf({ _set }: ChangeArguments): Settings {
  return (_set ?? {}) as Settings;
}

/** The values a row will have: the database itself works out what the jsonb operators do. */
export function wishedValues(change: ChangeArguments, alias: string): Sql | undefined {
  const named = namedFor('values', change);
  if (named.length > 1) {
    throw new GraphqlProblem('validation-failed', 'Column found in multiple operators: "values".');
  }
  const [first] = named;
  if (first === undefined) return undefined;
  const { operator, value } = first;
  if (operator === 'set') {
    return value === null ? sql`null::jsonb` : operandSql('jsonb', 'value', value);
  }
  return changed(columnOf(alias, 'values'), operator, value);
}

function namedFor(column: string, change: ChangeArguments): Named[] {
  return ['set', ...Object.keys(JSONB_CHANGES)].flatMap((operator) => {
    const columns = (change[`_${operator}`] ?? {}) as Record<string, unknown>;
    return Object.hasOwn(columns, column) ? [{ operator, value: columns[column] }] : [];
  });
}

function changed(column: Sql, operator: string, value: unknown): Sql {
  const { cast, infix, isGivenFirst } = JSONB_CHANGES[operator] ?? unknownOperator(operator);
  if (value === null) throw new GraphqlProblem('validation-failed', 'unexpected null value');
  const given = sql`${cast === 'jsonb' ? JSON.stringify(value) : value}::${sql.raw(cast)}`;
  const [left, right] = isGivenFirst ? [given, column] : [column, given];
  return sql`${left} ${sql.raw(infix)} ${right}`;
}

function unknownOperator(operator: string): never {
  throw new Error(`There is no operator ${operator}`);
}
