import { GraphqlProblem } from '../graphql-problem.ts';
import { JSONB_UPDATE_OPERATORS, type JsonbUpdate } from '../tables/operators.ts';
import { JSONB_UPDATES } from './jsonb-operators.ts';

/** The arguments `_set`, `_append` and so on of an update, as GraphQL passes them. */
export type UpdateArguments = Record<string, unknown>;

/** The columns to set, unchecked. A column that is not named stays. */
export type ColumnChanges = { deleted?: unknown; chart_version?: unknown };

type Operand = { operator: 'set' | JsonbUpdate; value: unknown };

export function columnChanges({ _set }: UpdateArguments): ColumnChanges {
  return (_set ?? {}) as ColumnChanges;
}

/** Computes the values a row will have from those it has. Undefined: they stay. */
export function newValues(change: UpdateArguments): ((values: unknown) => unknown) | undefined {
  const operands = operandsFor('values', change);
  if (operands.length > 1) {
    throw new GraphqlProblem('validation-failed', 'Column found in multiple operators: "values".');
  }
  const [first] = operands;
  if (first === undefined) return undefined;
  const { operator, value } = first;
  if (operator === 'set') return () => value;
  if (value === null) throw new GraphqlProblem('validation-failed', 'unexpected null value');
  return (values) => JSONB_UPDATES[operator](values, value as never);
}

function operandsFor(column: string, change: UpdateArguments): Operand[] {
  const operators = ['set', ...Object.keys(JSONB_UPDATE_OPERATORS)] as Operand['operator'][];
  return operators.flatMap((operator) => {
    const columns = (change[`_${operator}`] ?? {}) as Record<string, unknown>;
    return Object.hasOwn(columns, column) ? [{ operator, value: columns[column] }] : [];
  });
}
