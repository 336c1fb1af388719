/** The position that a key moves to in a list of `count` entries; undefined for other keys. Arrows wrap around. */
export function nextPosition(key: string, from: number, count: number): number | undefined {
  if (count === 0) return undefined;
  switch (key) {
    case 'ArrowDown':
      return (from + 1) % count;
    case 'ArrowUp':
      return (from - 1 + count) % count;
    case 'PageDown':
      return Math.min(from + 8, count - 1);
    case 'PageUp':
      return Math.max(from - 8, 0);
    default:
      return undefined;
  }
}
