import { ROUTES } from '@longshore/contract';
import { useDocumentTitle } from '../lib/use-document-title.ts';
import { buttonStyle } from '../ui/button-style.ts';

/** Unknown dashboard routes keep the shell around it. */
export function NotFound() {
  useDocumentTitle('Page not found');
  return (
    <div className="grid min-h-[70dvh] content-center justify-items-center gap-2 px-4 text-center">
      <p className="font-mono text-faint">404</p>
      <h1 className="text-xl font-semibold tracking-tight">Page not found</h1>
      <p className="text-muted">There is nothing at this address.</p>
      <a href={ROUTES.dashboard} className={buttonStyle('secondary', 'normal', 'mt-4')}>
        Back to projects
      </a>
    </div>
  );
}
