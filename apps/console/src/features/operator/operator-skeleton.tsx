import { CARD_STYLE } from '../../ui/card.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { LOADING } from '../../ui/texts.ts';

/** The layout of the page while its code loads. */
export function OperatorSkeleton() {
  return (
    <div role="status">
      <span className="sr-only">{LOADING}</span>
      <Skeleton className="mb-1.5 h-7 w-28" />
      <Skeleton className="mb-6 h-5 w-72 max-w-full" />
      <div className="grid gap-4">
        <div className={`${CARD_STYLE} h-60`} />
        <div className="grid gap-4 lg:grid-cols-2">
          <div className={`${CARD_STYLE} h-48`} />
          <div className={`${CARD_STYLE} h-48`} />
        </div>
        <div className={`${CARD_STYLE} h-96`} />
      </div>
    </div>
  );
}
