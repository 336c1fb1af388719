/** A row as GraphQL returns it. */
export type ReferenceRow = Record<string, unknown>;
type Where = Record<string, unknown>;
type Truth = boolean | null;

/** A simple implementation of a query in memory, to compare results with. Null means unknown, as in SQL. */
export function referenceSelect(
  rows: ReferenceRow[],
  args: Record<string, unknown>,
): ReferenceRow[] {
  const { where = {}, order_by = [], distinct_on = [], limit, offset = 0 } = args;
  const found = rows.filter((row) => holds(where as Where, row) === true);
  const sorted = found.toSorted((a, b) => compareRows(a, b, order_by as Where[]));
  const seen = new Set<string>();
  const distinct = sorted.filter((row) => {
    const columns = distinct_on as string[];
    if (columns.length === 0) return true;
    const key = JSON.stringify(columns.map((column) => row[column]));
    return !seen.has(key) && seen.add(key);
  });
  const from = distinct.slice(offset as number);
  return limit === undefined ? from : from.slice(0, limit as number);
}

function holds(where: Where, row: ReferenceRow): Truth {
  return every(Object.entries(where).map(([key, operand]) => clause(key, operand, row)));
}

function clause(key: string, operand: unknown, row: ReferenceRow): Truth {
  if (key === '_and') return every((operand as Where[]).map((each) => holds(each, row)));
  if (key === '_or') return some((operand as Where[]).map((each) => holds(each, row)));
  if (key === '_not') return not(holds(operand as Where, row));
  return every(
    Object.entries(operand as Where).map(([name, value]) => compared(name, row[key], value)),
  );
}

function compared(name: string, column: unknown, value: unknown): Truth {
  if (name === '_is_null') return (column === null) === value;
  if (name === '_cast') {
    const { String: text } = value as { String: Where };
    const comparisons = Object.entries(text);
    return every(
      comparisons.map(([each, expected]) => compared(each, postgresText(column), expected)),
    );
  }
  if (name === '_in') return some((value as unknown[]).map((each) => equal(column, each)));
  if (name === '_nin') return every((value as unknown[]).map((each) => not(equal(column, each))));
  if (column === null) return null;
  return OPERATORS[name]?.(column as never, value as never) ?? null;
}

const OPERATORS: Record<string, (column: never, value: never) => boolean> = {
  _eq: (column, value) => compare(column, value) === 0,
  _neq: (column, value) => compare(column, value) !== 0,
  _gt: (column, value) => compare(column, value) > 0,
  _gte: (column, value) => compare(column, value) >= 0,
  _lt: (column, value) => compare(column, value) < 0,
  _lte: (column, value) => compare(column, value) <= 0,
  _like: (column, value) => like(value, '').test(column),
  _nlike: (column, value) => !like(value, '').test(column),
  _ilike: (column, value) => like(value, 'i').test(column),
  _nilike: (column, value) => !like(value, 'i').test(column),
  _similar: (column, value) => like(value, '').test(column),
  _nsimilar: (column, value) => !like(value, '').test(column),
  _regex: (column, value) => new RegExp(value).test(column),
  _nregex: (column, value) => !new RegExp(value).test(column),
  _iregex: (column, value) => new RegExp(value, 'i').test(column),
  _niregex: (column, value) => !new RegExp(value, 'i').test(column),
  _contains: (column, value) => contains(column, value),
  _contained_in: (column, value) => contains(value, column),
  _has_key: (column, value) => hasKey(column, value),
  _has_keys_any: (column, value) => (value as string[]).some((key) => hasKey(column, key)),
  _has_keys_all: (column, value) => (value as string[]).every((key) => hasKey(column, key)),
};

function equal(column: unknown, value: unknown): Truth {
  return column === null ? null : compare(column, value) === 0;
}

/** Objects are only tested for equality; Postgres has its own order for them. */
function compare(a: unknown, b: unknown): number {
  if (typeof a === 'object' || typeof b === 'object') return canonical(a) === canonical(b) ? 0 : 1;
  return (a as string) === (b as string) ? 0 : (a as string) < (b as string) ? -1 : 1;
}

function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return JSON.stringify(value);
  }
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`)}}`;
}

function like(pattern: string, flags: string): RegExp {
  const source = pattern.replaceAll('%', '.*').replaceAll('_', '.');
  return new RegExp(`^${source}$`, `s${flags}`);
}

/** Whether every part of the smaller value is in the larger one. */
function contains(larger: unknown, smaller: unknown): boolean {
  if (typeof smaller !== 'object' || smaller === null) return larger === smaller;
  if (typeof larger !== 'object' || larger === null) return false;
  return Object.entries(smaller).every(
    ([key, value]) =>
      Object.hasOwn(larger, key) && contains((larger as Record<string, unknown>)[key], value),
  );
}

function hasKey(column: object, key: string): boolean {
  return Object.hasOwn(column, key);
}

/** The text of jsonb in Postgres: shorter keys first, with spaces. */
function postgresText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).toSorted(
    ([a], [b]) => a.length - b.length || (a < b ? -1 : 1),
  );
  const parts = entries.map(([key, each]) => `${JSON.stringify(key)}: ${postgresText(each)}`);
  return `{${parts.join(', ')}}`;
}

function compareRows(a: ReferenceRow, b: ReferenceRow, orderBy: Where[]): number {
  for (const [column, direction] of orderBy.flatMap((each) => Object.entries(each))) {
    const order = compareWithNulls(a[column], b[column], String(direction));
    if (order !== 0) return order;
  }
  return 0;
}

/** By default, nulls are larger than all other values. */
function compareWithNulls(a: unknown, b: unknown, direction: string): number {
  const isDescending = direction.startsWith('desc');
  const nullsFirst = direction.endsWith('nulls_first') || direction === 'desc';
  if (a === null || b === null) {
    if (a === b) return 0;
    return (a === null) === nullsFirst ? -1 : 1;
  }
  return isDescending ? -compare(a, b) : compare(a, b);
}

function every(truths: Truth[]): Truth {
  if (truths.includes(false)) return false;
  return truths.includes(null) ? null : true;
}

function some(truths: Truth[]): Truth {
  if (truths.includes(true)) return true;
  return truths.includes(null) ? null : false;
}

function not(truth: Truth): Truth {
  return truth === null ? null : !truth;
}
