/** The answer, if it is what was asked for. */
export function only<Data>(
  isExpected: (body: unknown) => body is Data,
): (body: unknown) => Data | undefined {
  return (body) => (isExpected(body) ? body : undefined);
}

/** An empty answer is an empty list. Spec §7. */
export function orEmpty<Data>(
  empty: Data,
  decode: (body: unknown) => Data | undefined,
): (body: unknown) => Data | undefined {
  return (body) => (body === undefined ? empty : decode(body));
}
