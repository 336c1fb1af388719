import { CARD_STYLE } from '../../ui/card.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { MESSAGES } from './messages.ts';

/** The layout of the profile page while it loads: title, identity and usage card, and two cards beside them. */
export function ProfileSkeleton() {
  return (
    <div role="status" aria-label={MESSAGES.loading}>
      <Skeleton className="mb-1.5 h-7 w-24" />
      <Skeleton className="mb-7 h-5 w-72" />
      <div className="grid items-start gap-4 lg:grid-cols-[2fr_1fr]">
        <div className="grid gap-4">
          <div className={`${CARD_STYLE} grid gap-4 p-4`}>
            <Skeleton className="h-5 w-32" />
            <Skeleton className="size-14 rounded-full" />
            <Skeleton className="h-28 w-full" />
          </div>
          <div className={`${CARD_STYLE} h-80`} />
        </div>
        <div className="grid gap-4">
          <div className={`${CARD_STYLE} h-31`} />
          <div className={`${CARD_STYLE} h-36`} />
        </div>
      </div>
    </div>
  );
}
