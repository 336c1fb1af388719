import { isRecord } from '@longshore/contract';
import type { JsonbUpdate } from '../tables/operators.ts';

/**
 * Postgres' operators that change parts of a jsonb value. They are applied here and not in the database: an operand may
 * contain variables, which reach the database only encrypted.
 */
export const JSONB_UPDATES: Record<JsonbUpdate, (value: unknown, operand: never) => unknown> = {
  append: (value, operand: unknown) => concatenate(value, operand),
  prepend: (value, operand: unknown) => concatenate(operand, value),
  delete_key: deleteKey,
  delete_elem: deleteElement,
  delete_at_path: deleteAtPath,
};

/** An operand that Postgres would refuse, with its message and code. */
class JsonbProblem extends Error {
  readonly code: string;

  constructor(message: string, code = '22023') {
    super(message);
    this.code = code;
  }
}

/** `||` */
function concatenate(left: unknown, right: unknown): unknown {
  if (isRecord(left) && isRecord(right)) return { ...left, ...right };
  return [left, right].flat(1);
}

/** `- text` */
function deleteKey(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return value.filter((element) => element !== key);
  if (!isRecord(value)) throw new JsonbProblem('cannot delete from scalar');
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
}

/** `- integer`: a negative index counts from the end. */
function deleteElement(value: unknown, index: number): unknown {
  if (isRecord(value)) throw new JsonbProblem('cannot delete from object using integer index');
  if (!Array.isArray(value)) throw new JsonbProblem('cannot delete from scalar');
  return value.filter((_, at) => at !== (index < 0 ? value.length + index : index));
}

/** `#- text[]` */
function deleteAtPath(value: unknown, path: string[]): unknown {
  if (isScalar(value)) throw new JsonbProblem('cannot delete path in scalar');
  return Array.isArray(value) && value.length === 0 ? value : deleteBelow(value, path, 1);
}

function deleteBelow(value: unknown, [step, ...rest]: string[], position: number): unknown {
  if (step === undefined || isScalar(value)) return value;
  if (!Array.isArray(value)) {
    if (rest.length === 0) return deleteKey(value, step);
    const below = (value as Record<string, unknown>)[step];
    if (!Object.hasOwn(value as object, step)) return value;
    return { ...(value as object), [step]: deleteBelow(below, rest, position + 1) };
  }
  if (!/^\s*[+-]?\d+\s*$/.test(step)) {
    const message = `path element at position ${position} is not an integer: "${step}"`;
    throw new JsonbProblem(message, '22P02');
  }
  if (rest.length === 0) return deleteElement(value, Number(step));
  const index = Number(step) < 0 ? value.length + Number(step) : Number(step);
  return value.map((element, at) =>
    at === index ? deleteBelow(element, rest, position + 1) : element,
  );
}

function isScalar(value: unknown): boolean {
  return !isRecord(value) && !Array.isArray(value);
}
