/** Whether two values are equal as jsonb: the order of keys does not matter. */
export function isSameJson(one: unknown, other: unknown): boolean {
  return sortedJson(one) === sortedJson(other);
}

/** Equal for values that are equal as jsonb. */
export function sortedJson(value: unknown): string {
  return JSON.stringify(value, sortKeys);
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  // By code unit: localeCompare treats some different keys as equal.
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
