/** Result of a parser at the edge of a service: a trusted value, or the message to show beside the field. */
export type Parsed<T> = { ok: true; value: T } | { ok: false; field: string; message: string };

export function valid<T>(value: T): Parsed<T> {
  return { ok: true, value };
}

export function invalid(field: string, message: string): Parsed<never> {
  return { ok: false, field, message };
}
