import { CARD_STYLE } from '../../ui/card.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { LOADING } from '../../ui/texts.ts';

/** The layout of the page while its code loads. */
export function SecuritySkeleton() {
  return (
    <>
      <Skeleton className="mb-2 h-7 w-20" />
      <Skeleton className="mb-1.5 h-7 w-28" />
      <Skeleton className="mb-6 h-5 w-72" />
      <SecurityCardsSkeleton />
    </>
  );
}

/** Two columns of cards on wide screens. */
export function SecurityCardsSkeleton() {
  return (
    <div role="status" className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
      <span className="sr-only">{LOADING}</span>
      <div className="grid gap-4">
        <div className={`${CARD_STYLE} h-36`} />
        <div className={`${CARD_STYLE} h-31`} />
        <div className={`${CARD_STYLE} h-36`} />
      </div>
      <div className="grid gap-4">
        <div className={`${CARD_STYLE} h-31`} />
        <div className={`${CARD_STYLE} h-66`} />
      </div>
    </div>
  );
}
