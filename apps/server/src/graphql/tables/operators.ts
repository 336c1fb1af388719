import type { ColumnType } from './table.ts';

/** The right side of an operator: a value of the column's type, a list of them, or text. */
export type Operand = 'value' | 'values' | 'text' | 'texts';

/** How a comparison of `where` is written in SQL. */
export type Operator = { infix: string; operand: Operand };

const COMMON_OPERATORS: Record<string, Operator> = {
  _eq: { infix: '=', operand: 'value' },
  _neq: { infix: '<>', operand: 'value' },
  _gt: { infix: '>', operand: 'value' },
  _gte: { infix: '>=', operand: 'value' },
  _lt: { infix: '<', operand: 'value' },
  _lte: { infix: '<=', operand: 'value' },
  _in: { infix: '= any', operand: 'values' },
  _nin: { infix: '<> all', operand: 'values' },
};

const TEXT_OPERATORS: Record<string, Operator> = {
  _like: { infix: 'like', operand: 'value' },
  _nlike: { infix: 'not like', operand: 'value' },
  _ilike: { infix: 'ilike', operand: 'value' },
  _nilike: { infix: 'not ilike', operand: 'value' },
  _similar: { infix: 'similar to', operand: 'value' },
  _nsimilar: { infix: 'not similar to', operand: 'value' },
  _regex: { infix: '~', operand: 'value' },
  _nregex: { infix: '!~', operand: 'value' },
  _iregex: { infix: '~*', operand: 'value' },
  _niregex: { infix: '!~*', operand: 'value' },
};

const JSONB_OPERATORS: Record<string, Operator> = {
  _contains: { infix: '@>', operand: 'value' },
  _contained_in: { infix: '<@', operand: 'value' },
  _has_key: { infix: '?', operand: 'text' },
  _has_keys_any: { infix: '?|', operand: 'texts' },
  _has_keys_all: { infix: '?&', operand: 'texts' },
};

/** The operators of a type, by Hasura's names. */
export function operatorsOf(type: ColumnType): Record<string, Operator> {
  if (type === 'String') return { ...COMMON_OPERATORS, ...TEXT_OPERATORS };
  if (type === 'jsonb') return { ...COMMON_OPERATORS, ...JSONB_OPERATORS };
  return COMMON_OPERATORS;
}

/** Hasura's operators that change parts of a jsonb column, with the type of their argument. */
export const JSONB_UPDATE_OPERATORS = {
  append: 'jsonb',
  prepend: 'jsonb',
  delete_key: 'String',
  delete_elem: 'Int',
  delete_at_path: '[String!]',
} as const;

export type JsonbUpdate = keyof typeof JSONB_UPDATE_OPERATORS;
