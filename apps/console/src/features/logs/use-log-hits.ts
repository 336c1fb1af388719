import { useEffect, useMemo, useReducer } from 'react';
import type { NumberedLine } from './model/log-buffer.ts';
import { createHitFinder } from './model/log-hits.ts';
import type { LogFilter } from './model/log-view.ts';

/** A few milliseconds' worth, on a slow processor too: letters can be typed in between. */
const LINES_AT_ONCE = 10_000;

/** Numbers of the lines that hold the searched text. The hits of a long log come in turns. */
export function useLogHits(lines: NumberedLine[], search: string, filter: LogFilter): number[] {
  const [turn, takeTurn] = useReducer((count: number) => count + 1, 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another filter is another list
  const find = useMemo(() => createHitFinder(search, LINES_AT_ONCE), [search, filter]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each turn looks further
  const found = useMemo(() => find(lines), [find, lines, turn]);
  useEffect(() => {
    if (found.isDone) return;
    const timer = setTimeout(takeTurn);
    return () => clearTimeout(timer);
  }, [found]);
  return found.hits;
}
