import { useDeferredValue, useMemo } from 'react';

/** More cards than a large screen shows. */
const FIRST_CARDS = 36;

/**
 * The cards that match a search. Typing has priority over updating the cards, and the first render of a long list is
 * limited to the first cards. Changes of the rows are shown without delay.
 */
export function useCardSearch<Row, Card>(
  rows: Row[],
  search: string,
  find: (rows: Row[], search: string) => Card[],
): { appliedSearch: string; cards: Card[] } {
  const deferredSearch = useDeferredValue(search);
  const isComplete = useDeferredValue(true, false);
  const cards = useMemo(() => find(rows, deferredSearch), [rows, deferredSearch, find]);
  return {
    appliedSearch: deferredSearch.trim(),
    cards: isComplete ? cards : cards.slice(0, FIRST_CARDS),
  };
}
