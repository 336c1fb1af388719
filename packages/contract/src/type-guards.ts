export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function areStrings(...values: unknown[]): boolean {
  return values.every((value) => typeof value === 'string');
}

export function areStringsOrNull(...values: unknown[]): boolean {
  return values.every((value) => value === null || typeof value === 'string');
}
