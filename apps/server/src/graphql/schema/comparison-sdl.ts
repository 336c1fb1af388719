import { type Operand, operatorsOf } from '../tables/operators.ts';
import type { ColumnType } from '../tables/table.ts';
import { block } from './sdl.ts';

const OPERAND_TYPES: Record<Operand, (type: ColumnType) => string> = {
  value: (type) => type,
  values: (type) => `[${type}!]`,
  text: () => 'String',
  texts: () => '[String!]',
};

/** What a column of each type can be compared with. Wire §5.3. */
export function comparisonSdl(types: readonly ColumnType[]): string {
  return [
    ...types.map(comparisonInput),
    types.includes('jsonb') ? 'input jsonb_cast_exp { String: String_comparison_exp }' : '',
  ].join('\n');
}

function comparisonInput(type: ColumnType): string {
  const operators = Object.entries(operatorsOf(type)).map(
    ([name, { operand }]) => `${name}: ${OPERAND_TYPES[operand](type)}`,
  );
  const cast = type === 'jsonb' ? ['_cast: jsonb_cast_exp'] : [];
  return block(`input ${type}_comparison_exp`, [...operators, '_is_null: Boolean', ...cast]);
}
