import { useEffect, useMemo, useReducer } from 'react';
import { IconButton } from '../../ui/icon-button.tsx';
import { ChevronDown, ChevronUp } from '../../ui/icons.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { MESSAGES } from './messages.ts';
import type { NumberedLine } from './model/log-buffer.ts';
import { createMatchFinder } from './model/log-search.ts';
import type { LogFilter } from './model/log-view.ts';

export type LogSearchProps = {
  search: string;
  match: number;
  matchCount: number;
  onSearch(search: string): void;
  onStep(step: 1 | -1): void;
};

/** Enter goes to the next match, Shift+Enter to the previous one. */
export function LogSearch({ search, match, matchCount, onSearch, onStep }: LogSearchProps) {
  return (
    <div className="flex min-w-0 items-center gap-1 max-sm:flex-1">
      <div className="relative min-w-0 max-sm:flex-1">
        <TextInput
          type="search"
          aria-label={MESSAGES.search}
          placeholder={MESSAGES.search}
          value={search}
          className="h-8 pr-14 sm:w-52 [&::-webkit-search-cancel-button]:hidden"
          onChange={(event) => onSearch(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') onStep(event.shiftKey ? -1 : 1);
            if (event.key === 'Escape') onSearch('');
          }}
        />
        {search !== '' && (
          <span
            role="status"
            className="pointer-events-none absolute top-1/2 right-2.5 -translate-y-1/2 text-xs text-faint"
          >
            {matchCount === 0 ? '0' : `${match + 1}/${matchCount}`}
          </span>
        )}
      </div>
      {matchCount > 0 && (
        <>
          <IconButton label={MESSAGES.previousMatch} onClick={() => onStep(-1)}>
            <ChevronUp size={16} aria-hidden="true" />
          </IconButton>
          <IconButton label={MESSAGES.nextMatch} onClick={() => onStep(1)}>
            <ChevronDown size={16} aria-hidden="true" />
          </IconButton>
        </>
      )}
    </div>
  );
}

/** Searching this many lines takes a few milliseconds on a slow processor, so that typing stays responsive. */
const BATCH_SIZE = 10_000;

/** Numbers of the lines that contain the searched text. A long log is searched in batches. */
export function useLogMatches(lines: NumberedLine[], search: string, filter: LogFilter): number[] {
  const [batch, searchNextBatch] = useReducer((count: number) => count + 1, 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another filter is another list
  const find = useMemo(() => createMatchFinder(search, BATCH_SIZE), [search, filter]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each batch continues the search
  const found = useMemo(() => find(lines), [find, lines, batch]);
  useEffect(() => {
    if (found.isDone) return;
    const timer = setTimeout(searchNextBatch);
    return () => clearTimeout(timer);
  }, [found]);
  return found.matches;
}
