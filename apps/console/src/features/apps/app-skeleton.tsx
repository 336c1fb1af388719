import { CARD_STYLE } from '../../ui/card.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { LOADING } from '../../ui/texts.ts';
import { APP_GRID } from './app-grid.ts';

/** The shape of what comes: header, two cards, logs. */
export function AppSkeleton() {
  return (
    <div role="status">
      <h1 className="sr-only">{LOADING}</h1>
      <Skeleton className="mb-2 h-7 w-24" />
      <Skeleton className="mb-6 h-9 w-56" />
      <div className={APP_GRID}>
        <div className="grid gap-4">
          <div className={`${CARD_STYLE} h-25`} />
          <div className={`${CARD_STYLE} box-content h-log pb-13.25`} />
        </div>
        <div className={`${CARD_STYLE} h-66`} />
      </div>
    </div>
  );
}
