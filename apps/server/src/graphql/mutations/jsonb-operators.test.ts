import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { JsonbUpdate } from '../tables/operators.ts';
import { JSONB_UPDATES } from './jsonb-operators.ts';

let client: pg.Client;
beforeAll(async () => {
  client = new pg.Client(inject('postgres'));
  await client.connect();
});
afterAll(() => client.end());

type Outcome = { value: unknown } | { message: string; code: string };

function here(operator: JsonbUpdate, value: unknown, operand: unknown): Outcome {
  try {
    return { value: JSONB_UPDATES[operator](value, operand as never) };
  } catch (error) {
    const { message, code } = error as { message: string; code: string };
    return { message, code };
  }
}

const SQL: Record<JsonbUpdate, string> = {
  append: '$1::jsonb || $2::jsonb',
  prepend: '$2::jsonb || $1::jsonb',
  delete_key: '$1::jsonb - $2::text',
  delete_elem: '$1::jsonb - $2::integer',
  delete_at_path: '$1::jsonb #- $2::text[]',
};

async function inPostgres(
  operator: JsonbUpdate,
  value: unknown,
  operand: unknown,
): Promise<Outcome> {
  const isJson = operator === 'append' || operator === 'prepend';
  const parameters = [JSON.stringify(value), isJson ? JSON.stringify(operand) : operand];
  try {
    const { rows } = await client.query(`select ${SQL[operator]} as value`, parameters);
    return { value: rows[0].value };
  } catch (error) {
    const { message, code } = error as { message: string; code: string };
    return { message, code };
  }
}

const KEY = fc.constantFrom('env', 'A', '0', '-1', '1', 'ports', '__proto__', '');
const LEAF = fc.constantFrom<unknown>('A', '', 0, 1.5, true, null);
const { document } = fc.letrec<{ document: unknown }>((tie) => ({
  document: fc.oneof(
    { depthSize: 'small' },
    LEAF,
    fc.array(tie('document'), { maxLength: 3 }),
    fc.dictionary(KEY, tie('document'), { maxKeys: 3, noNullPrototype: true }),
  ),
}));

const OPERANDS: Record<JsonbUpdate, fc.Arbitrary<unknown>> = {
  append: document,
  prepend: document,
  delete_key: KEY,
  delete_elem: fc.integer({ min: -4, max: 4 }),
  delete_at_path: fc.array(KEY, { maxLength: 4 }),
};

describe('every operator gives the result of Postgres', () => {
  it.each(Object.keys(SQL) as JsonbUpdate[])('%s', async (operator) => {
    await fc.assert(
      fc.asyncProperty(document, OPERANDS[operator], async (value, operand) => {
        const expected = await inPostgres(operator, value, operand);
        expect(here(operator, value, operand)).toEqual(expected);
      }),
      { numRuns: 200 },
    );
  });
});
