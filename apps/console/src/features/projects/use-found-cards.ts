import { useDeferredValue, useMemo } from 'react';

/** More than the largest screen shows. */
const FIRST_CARDS = 36;

/**
 * The cards that a search finds. The letters come first, the cards as soon as there is time; of a great many, those
 * at the top are there at once. What changes in the rows is shown without delay.
 */
export function useFoundCards<Row, Card>(
  rows: Row[],
  search: string,
  find: (rows: Row[], search: string) => Card[],
): { sought: string; cards: Card[] } {
  const sought = useDeferredValue(search);
  const isWhole = useDeferredValue(true, false);
  const cards = useMemo(() => find(rows, sought), [rows, sought, find]);
  return { sought: sought.trim(), cards: isWhole ? cards : cards.slice(0, FIRST_CARDS) };
}
