export function areTexts(...values: unknown[]): boolean {
  return values.every((value) => typeof value === 'string');
}

export function areTextsOrNull(...values: unknown[]): boolean {
  return values.every((value) => value === null || typeof value === 'string');
}
