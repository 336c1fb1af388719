import { Skeleton } from '../../ui/skeleton.tsx';
import { IntegrationSkeletons } from './integration-grid.tsx';

/** The layout of the page while its code loads. */
export function IntegrationsSkeleton() {
  return (
    <>
      <Skeleton className="mb-1.5 h-7 w-56" />
      <Skeleton className="mb-6 h-5 w-72" />
      <IntegrationSkeletons />
    </>
  );
}
