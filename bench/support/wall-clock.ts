/** Milliseconds since 1970 with fractions, to compare with what another process says of its own beginning. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}
