import { LIST_SKELETONS } from '@longshore/contract';
import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { CARD_STYLE } from '../../ui/card.tsx';
import { Plus } from '../../ui/icons.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { LOADING } from '../../ui/texts.ts';
import { MESSAGES } from './messages.ts';

/** Three columns on wide screens (spec-map 9.1). */
export function CardGrid({ children }: { children: ReactNode }) {
  return <ul className="grid grid-cols-1 gap-4 sm:grid-cols-2 lg:grid-cols-3">{children}</ul>;
}

export function CreateProjectTile({ onPress }: { onPress(): void }) {
  return (
    <li>
      <button
        type="button"
        onClick={onPress}
        className="flex h-full min-h-36 w-full flex-col items-center justify-center gap-2 rounded-box border border-dashed border-line-strong font-medium text-muted hover:border-faint hover:bg-hover hover:text-text hover:transition-colors hover:duration-100"
      >
        <Plus size={18} aria-hidden="true" />
        {MESSAGES.createTile}
      </button>
    </li>
  );
}

export function CardSkeletons({ count = LIST_SKELETONS }: { count?: number }) {
  return (
    <div role="status">
      <span className="sr-only">{LOADING}</span>
      <CardGrid>
        {Array.from({ length: count }, (_, position) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: skeletons have no identity
            key={position}
            data-testid="card-skeleton"
            className={clsx(CARD_STYLE, 'flex h-36 flex-col gap-3 p-4')}
          >
            <Skeleton className="h-5 w-2/5" />
            <Skeleton className="h-4 w-1/4" />
            <Skeleton className="mt-auto h-3 w-1/3 self-end" />
          </li>
        ))}
      </CardGrid>
    </div>
  );
}
