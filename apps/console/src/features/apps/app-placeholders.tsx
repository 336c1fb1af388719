import { ROUTES } from '@longshore/contract';
import { Link } from 'react-router';
import { useDocumentTitle } from '../../lib/use-document-title.ts';
import { buttonStyle } from '../../ui/button-style.ts';
import { CARD_STYLE } from '../../ui/card.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { BACK_TO_PROJECTS, LOADING } from '../../ui/texts.ts';
import { MESSAGES } from './messages.ts';

/** Two columns on wide screens. At least as high as the screen, so that cards that load late cause no visible shift. */
export const APP_GRID =
  'grid min-h-dvh grid-cols-1 content-start items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]';

/** Has the shape of the app page: header, tab bar, signals, logs, and the cards beside them. */
export function AppSkeleton() {
  return (
    <div role="status">
      <h1 className="sr-only">{LOADING}</h1>
      <Skeleton className="mb-2 h-7 w-24" />
      <Skeleton className="mb-6 h-9 w-56" />
      <div className="mb-5 h-10 border-b border-line" />
      <div className={APP_GRID}>
        <div className="grid gap-4">
          <div className={`${CARD_STYLE} h-25`} />
          <div className={`${CARD_STYLE} h-108`} />
        </div>
        <div className="grid gap-4">
          <div className={`${CARD_STYLE} h-25`} />
          <div className={`${CARD_STYLE} h-66`} />
        </div>
      </div>
    </div>
  );
}

/** While the code of a tab loads. */
export function TabSkeleton() {
  return (
    <div role="status" className={`${CARD_STYLE} min-h-96`}>
      <span className="sr-only">{LOADING}</span>
    </div>
  );
}

/** Links back to the project, or to the list of projects when the project does not exist either. */
export function AppMissing({ projectId }: { projectId: string | undefined }) {
  useDocumentTitle(MESSAGES.notFound);
  return (
    <div className="grid justify-items-center gap-4 py-20 text-center">
      <h1 className="text-lg font-semibold">{MESSAGES.notFound}</h1>
      <Link
        to={projectId === undefined ? ROUTES.projects : ROUTES.project(projectId)}
        className={buttonStyle('secondary', 'normal')}
      >
        {projectId === undefined ? BACK_TO_PROJECTS : MESSAGES.backToProject}
      </Link>
    </div>
  );
}
