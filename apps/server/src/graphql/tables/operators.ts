import type { ColumnType } from './table.ts';

/** What stands right of an operator: something of the column's type, a list of it, or text. */
export type Operand = 'value' | 'values' | 'text' | 'texts';

/** How a comparison of `where` is written in SQL. */
export type Operator = { infix: string; operand: Operand };

const OF_EVERY_TYPE: Record<string, Operator> = {
  _eq: { infix: '=', operand: 'value' },
  _neq: { infix: '<>', operand: 'value' },
  _gt: { infix: '>', operand: 'value' },
  _gte: { infix: '>=', operand: 'value' },
  _lt: { infix: '<', operand: 'value' },
  _lte: { infix: '<=', operand: 'value' },
  _in: { infix: '= any', operand: 'values' },
  _nin: { infix: '<> all', operand: 'values' },
};

const OF_TEXT: Record<string, Operator> = {
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

const OF_JSONB: Record<string, Operator> = {
  _contains: { infix: '@>', operand: 'value' },
  _contained_in: { infix: '<@', operand: 'value' },
  _has_key: { infix: '?', operand: 'text' },
  _has_keys_any: { infix: '?|', operand: 'texts' },
  _has_keys_all: { infix: '?&', operand: 'texts' },
};

/** The operators of a type, by the names Hasura gives them. */
export function operatorsOf(type: ColumnType): Record<string, Operator> {
  if (type === 'String') return { ...OF_EVERY_TYPE, ...OF_TEXT };
  if (type === 'jsonb') return { ...OF_EVERY_TYPE, ...OF_JSONB };
  return OF_EVERY_TYPE;
}
