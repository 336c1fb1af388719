import { useEffect, useMemo, useReducer, useRef } from 'react';
import { useFocusHotkey } from '../../lib/use-hotkey.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { ChevronDown, ChevronUp } from '../../ui/icons.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import type { FoundLines } from './log-finder.ts';
import { MESSAGES } from './messages.ts';
import type { LineList } from './model/line-list.ts';
import { createMatchFinder, type FoundMatches } from './model/log-search.ts';
import { isSelected, type LogSelection } from './model/log-window.ts';

export type LogSearchProps = {
  search: string;
  /** Position of the current match, 0 for the newest; undefined if there is none. */
  index: number | undefined;
  matchCount: number;
  state: FoundLines['state'];
  progress: number;
  onSearch(search: string): void;
  onStep(step: 1 | -1): void;
};

/** `/` focuses it. Matches are numbered from the newest. Enter goes to the next older one, Shift+Enter back. */
export function LogSearch(props: LogSearchProps) {
  const { search, matchCount, state, progress, onSearch, onStep } = props;
  const input = useRef<HTMLInputElement>(null);
  useFocusHotkey('/', input);
  const isSearching = state === 'waiting' || state === 'searching';
  return (
    <div className="flex min-w-0 grow items-center gap-1 max-sm:basis-full">
      <div className="relative min-w-0 grow overflow-hidden rounded-box">
        <TextInput
          ref={input}
          type="search"
          aria-label={MESSAGES.search}
          placeholder={MESSAGES.search}
          value={search}
          maxLength={1_000}
          className="h-8 w-full pr-24 [&::-webkit-search-cancel-button]:hidden"
          onChange={(event) => onSearch(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') onStep(event.shiftKey ? -1 : 1);
            if (event.key === 'Escape') onSearch('');
          }}
        />
        {search !== '' && (
          <span
            role="status"
            className="pointer-events-none absolute top-1/2 right-2.5 -translate-y-1/2 text-xs text-faint tabular-nums"
          >
            {statusText(props)}
          </span>
        )}
        {isSearching && (
          <span
            aria-hidden="true"
            className="absolute bottom-0 left-0 h-0.5 w-full origin-left bg-accent"
            style={{ scale: `${Math.max(progress, 0.05)} 1` }}
          />
        )}
      </div>
      {matchCount > 0 && (
        <>
          <IconButton label={MESSAGES.nextMatch} onClick={() => onStep(1)}>
            <ChevronUp size={16} aria-hidden="true" />
          </IconButton>
          <IconButton label={MESSAGES.previousMatch} onClick={() => onStep(-1)}>
            <ChevronDown size={16} aria-hidden="true" />
          </IconButton>
        </>
      )}
    </div>
  );
}

function statusText({ index, matchCount, state, progress }: LogSearchProps): string {
  const isSearching = state === 'waiting' || state === 'searching';
  if (matchCount === 0) {
    return isSearching ? MESSAGES.searching(Math.floor(progress * 100)) : MESSAGES.noMatches;
  }
  const more = isSearching ? '…' : state === 'partial' ? '+' : '';
  return MESSAGES.match((index ?? 0) + 1, `${matchCount.toLocaleString('en-US')}${more}`);
}

/** Searching this many lines takes a few milliseconds on a slow processor, so that typing stays responsive. */
const BATCH_SIZE = 10_000;

/** Numbers of the lines of a selection that contain the searched text. A long list is searched in batches. */
export function useLogMatches(
  lines: LineList,
  search: string,
  selection: LogSelection,
): FoundMatches {
  const [batch, searchNextBatch] = useReducer((count: number) => count + 1, 0);
  const find = useMemo(
    () => createMatchFinder(search, (line) => isSelected(line, selection), BATCH_SIZE),
    [search, selection],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: each batch continues the search
  const found = useMemo(() => find(lines), [find, lines, batch]);
  useEffect(() => {
    if (found.isDone) return;
    const timer = setTimeout(searchNextBatch);
    return () => clearTimeout(timer);
  }, [found]);
  return found;
}
