type Plain = Record<string, unknown>;

/** Whether two values of one shape hold the same: rows come anew with each change of any of them. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (!isPlain(one) || !isPlain(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => key in other && isSame(one[key], other[key]))
  );
}

function isPlain(value: unknown): value is Plain {
  return typeof value === 'object' && value !== null;
}
