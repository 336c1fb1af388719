import { ROUTES } from '@longshore/contract';
import { useDocumentTitle } from '../lib/use-document-title.ts';
import { buttonStyle } from '../ui/button-style.ts';
import { BACK_TO_PROJECTS } from '../ui/texts.ts';
import { MESSAGES } from './messages.ts';

/** Inside the dashboard it is shown with the shell around it. */
export function NotFound() {
  const { title, text } = MESSAGES.notFound;
  useDocumentTitle(title);
  return (
    <div className="grid min-h-[70dvh] content-center justify-items-center gap-2 px-4 text-center">
      <p className="font-mono text-faint">404</p>
      <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
      <p className="text-muted">{text}</p>
      <a href={ROUTES.dashboard} className={buttonStyle('secondary', 'normal', 'mt-4')}>
        {BACK_TO_PROJECTS}
      </a>
    </div>
  );
}
