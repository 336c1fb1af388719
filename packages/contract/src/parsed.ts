/** The answer of every parser at a door: a value to trust, or the sentence to show beside a field. */
export type Parsed<T> = { ok: true; value: T } | { ok: false; field: string; message: string };

export function accepted<T>(value: T): Parsed<T> {
  return { ok: true, value };
}

export function refused(field: string, message: string): Parsed<never> {
  return { ok: false, field, message };
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
