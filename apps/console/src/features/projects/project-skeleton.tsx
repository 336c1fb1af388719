import { DETAIL_SKELETONS } from '@longshore/contract';
import { Skeleton } from '../../ui/skeleton.tsx';
import { LOADING } from '../../ui/texts.ts';
import { CardSkeletons } from './project-grid.tsx';

/** The shape of what comes: back link, title, cards. */
export function ProjectSkeleton() {
  return (
    <>
      <h1 className="sr-only">{LOADING}</h1>
      <Skeleton className="mb-3 h-5 w-20" />
      <Skeleton className="mb-8 h-8 w-48" />
      <CardSkeletons count={DETAIL_SKELETONS} />
    </>
  );
}
