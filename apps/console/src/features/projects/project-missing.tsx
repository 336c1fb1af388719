import { ROUTES } from '@longshore/contract';
import { Link } from 'react-router';
import { useDocumentTitle } from '../../lib/use-document-title.ts';
import { buttonStyle } from '../../ui/button-style.ts';
import { BACK_TO_PROJECTS } from '../../ui/texts.ts';
import { MESSAGES } from './messages.ts';

/** Spec §2, Project details. */
export function ProjectMissing({ hasId }: { hasId: boolean }) {
  const sentence = hasId ? MESSAGES.notFoundById : MESSAGES.idNotFound;
  useDocumentTitle(sentence);
  return (
    <div className="grid justify-items-center gap-4 py-20 text-center">
      <h1 className="text-lg font-semibold">{sentence}</h1>
      <Link to={ROUTES.projects} className={buttonStyle('secondary', 'normal')}>
        {BACK_TO_PROJECTS}
      </Link>
    </div>
  );
}
