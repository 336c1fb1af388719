type Plain = Record<string, unknown>;

/** Compares plain values deeply. A live query sends all rows again when one changes, so equal rows are new objects. */
export function deepEqual(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (!isPlain(one) || !isPlain(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => key in other && deepEqual(one[key], other[key]))
  );
}

function isPlain(value: unknown): value is Plain {
  return typeof value === 'object' && value !== null;
}
