import { CARD_STYLE } from '../../ui/card.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

/** The shape of what comes: header, two cards, logs. */
export function AppSkeleton() {
  return (
    <div role="status">
      <span className="sr-only">Loading</span>
      <Skeleton className="mb-3 h-5 w-24" />
      <Skeleton className="mb-6 h-8 w-56" />
      <div className="grid gap-4">
        <div className="grid gap-4 lg:grid-cols-2">
          <div className={`${CARD_STYLE} h-24`} />
          <div className={`${CARD_STYLE} h-56`} />
        </div>
        <div className={`${CARD_STYLE} h-80`} />
      </div>
    </div>
  );
}
