import { LIST_SKELETONS } from '@longshore/contract';
import type { ReactNode } from 'react';
import { CARD_STYLE } from '../../ui/card.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { LOADING } from '../../ui/texts.ts';

export function IntegrationGrid({ children }: { children: ReactNode }) {
  return <ul className="grid grid-cols-1 gap-4 sm:grid-cols-2 lg:grid-cols-3">{children}</ul>;
}

export function IntegrationSkeletons() {
  return (
    <div role="status">
      <span className="sr-only">{LOADING}</span>
      <IntegrationGrid>
        {Array.from({ length: LIST_SKELETONS }, (_, position) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: skeletons have no identity
            key={position}
            className={`${CARD_STYLE} flex h-36 flex-col gap-3 p-4`}
          >
            <div className="flex gap-3">
              <Skeleton className="size-9" />
              <Skeleton className="mt-1 h-5 w-2/5" />
            </div>
            <Skeleton className="mt-auto h-6 w-1/2" />
          </li>
        ))}
      </IntegrationGrid>
    </div>
  );
}
