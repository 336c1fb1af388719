import { ROUTES } from '@longshore/contract';
import { Link } from 'react-router';
import { buttonStyle } from '../../ui/button-style.ts';
import { MESSAGES } from './messages.ts';

export function AppMissing({ projectId }: { projectId: string }) {
  return (
    <div className="grid justify-items-center gap-4 py-20 text-center">
      <h1 className="text-lg font-semibold">{MESSAGES.notFound}</h1>
      <Link to={ROUTES.project(projectId)} className={buttonStyle('secondary', 'normal')}>
        Back to project
      </Link>
    </div>
  );
}
