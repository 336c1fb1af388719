import { ROUTES } from '@longshore/contract';
import { Link } from 'react-router';
import { useDocumentTitle } from '../../lib/use-document-title.ts';
import { buttonStyle } from '../../ui/button-style.ts';
import { BACK_TO_PROJECTS } from '../../ui/texts.ts';
import { MESSAGES } from './messages.ts';

/** Leads back to the project, or to all of them when that one is unknown too. */
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
