/** Which option a key leads to; undefined for keys that are not about the list. Beyond an end it begins again. */
export function activeAfter(key: string, at: number, count: number): number | undefined {
  if (count === 0) return undefined;
  if (key === 'ArrowDown') return at + 1 >= count ? 0 : at + 1;
  if (key === 'ArrowUp') return at <= 0 ? count - 1 : at - 1;
  return undefined;
}
