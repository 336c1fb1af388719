/** Where a key leads in a list of so many; undefined when it leads nowhere. The ends meet. */
export function steppedTo(key: string, from: number, count: number): number | undefined {
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
