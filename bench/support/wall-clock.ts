/** Milliseconds since 1970 with fractions, comparable between processes. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}
