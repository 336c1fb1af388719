import { IconButton } from '../../ui/icon-button.tsx';
import { ChevronDown, ChevronUp } from '../../ui/icons.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { MESSAGES } from './messages.ts';

export type LogSearchProps = {
  search: string;
  hit: number;
  hitCount: number;
  onSearch(search: string): void;
  onStep(step: 1 | -1): void;
};

/** Enter goes to the next hit, Shift+Enter to the one before. */
export function LogSearch({ search, hit, hitCount, onSearch, onStep }: LogSearchProps) {
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
            {hitCount === 0 ? '0' : `${hit + 1}/${hitCount}`}
          </span>
        )}
      </div>
      {hitCount > 0 && (
        <>
          <IconButton label={MESSAGES.previousHit} onClick={() => onStep(-1)}>
            <ChevronUp size={16} aria-hidden="true" />
          </IconButton>
          <IconButton label={MESSAGES.nextHit} onClick={() => onStep(1)}>
            <ChevronDown size={16} aria-hidden="true" />
          </IconButton>
        </>
      )}
    </div>
  );
}
