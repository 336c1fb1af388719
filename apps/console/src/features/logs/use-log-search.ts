import type { AppRef } from '@longshore/client';
import { useEffect, useMemo, useState } from 'react';
import { nothingFound } from './log-finder.ts';
import { type LogSearchProps, useLogMatches } from './log-search.tsx';
import { positionOf } from './model/line-list.ts';
import { allMatches, stepMatch } from './model/log-search.ts';
import type { LogSelection } from './model/log-window.ts';
import { type LogStream, useLogFinder } from './use-log-stream.ts';

type LogSearchState = LogSearchProps & {
  /** Position of the current match among the loaded lines. */
  current: number | undefined;
  message: string | undefined;
};

/**
 * Searches everything that the server keeps, and lines that arrive meanwhile. A match that is not loaded is loaded when
 * the user steps to it.
 */
export function useLogSearch(app: AppRef, { window, reader }: LogStream): LogSearchState {
  const { finder, found: lastFound } = useLogFinder(app);
  const [search, setSearch] = useState('');
  const [choice, setChoice] = useState<{ number: number; selection: LogSelection }>();
  const { selection, isNumbered } = window;
  const chosen = choice?.selection === selection ? choice.number : undefined;
  // The last search may still be that of another text or selection: its matches must not be chosen.
  const isCurrent = lastFound.text === search && lastFound.selection === selection;
  const found = useMemo(
    () => (isCurrent ? lastFound : nothingFound(search, selection)),
    [isCurrent, lastFound, search, selection],
  );
  // Without line numbers, only the loaded lines can be searched.
  const local = useLogMatches(isNumbered ? window.recent : window.lines, search, selection);
  const matches = useMemo(() => allMatches(found, local.matches), [found, local]);
  const index = chosen === undefined ? -1 : matches.indexOf(chosen);
  const newest = local.isDone ? matches[0] : undefined;

  useEffect(() => {
    if (isNumbered) finder.search(search, selection);
  }, [finder, search, selection, isNumbered]);

  // The newest match at the time: later ones must not move the view.
  useEffect(() => {
    if (search !== '' && chosen === undefined && newest !== undefined) choose(newest);
  });

  function choose(number: number | undefined): void {
    if (number === undefined) return;
    setChoice({ number, selection });
    if (isNumbered && positionOf(window.lines, number) === undefined) reader.showAround(number);
  }

  return {
    search,
    index: index === -1 ? undefined : index,
    matchCount: matches.length,
    state: isNumbered ? found.state : 'done',
    progress: found.progress,
    message: found.state === 'failed' ? found.message : undefined,
    current: search === '' ? undefined : positionOf(window.lines, chosen),
    onSearch(next) {
      setSearch(next);
      setChoice(undefined);
    },
    onStep(step) {
      // The newest match is shown as the current one a moment before it is chosen.
      choose(stepMatch(matches, chosen ?? newest, step));
      if (step === 1 && index >= matches.length - 2) finder.searchMore();
    },
  };
}
