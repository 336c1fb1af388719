import { DETAIL_SKELETONS, ROUTES } from '@longshore/contract';
import { Link } from 'react-router';
import { useDocumentTitle } from '../../lib/use-document-title.ts';
import { buttonStyle } from '../../ui/button-style.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { BACK_TO_PROJECTS, LOADING } from '../../ui/texts.ts';
import { MESSAGES } from './messages.ts';
import { CardSkeletons } from './project-grid.tsx';

export function ProjectMissing({ hasId }: { hasId: boolean }) {
  const title = hasId ? MESSAGES.notFoundById : MESSAGES.idNotFound;
  useDocumentTitle(title);
  return (
    <div className="grid justify-items-center gap-4 py-20 text-center">
      <h1 className="text-lg font-semibold">{title}</h1>
      <Link to={ROUTES.projects} className={buttonStyle('secondary', 'normal')}>
        {BACK_TO_PROJECTS}
      </Link>
    </div>
  );
}

/** Has the shape of the project page: back link, title, cards. */
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
