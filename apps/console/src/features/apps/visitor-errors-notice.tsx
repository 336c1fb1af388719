import type { AppResource, Detected } from '@longshore/contract';
import { Button } from '../../ui/button.tsx';
import { CircleAlert } from '../../ui/icons.tsx';
import { Notice } from '../../ui/notice.tsx';
import { MissingVariables } from './failure-fixes.tsx';
import { MESSAGES } from './messages.ts';
import { unsetVariables } from './model/fix.ts';
import type { VisitorErrors } from './model/visitor-errors.ts';

type VisitorErrorsNoticeProps = {
  app: AppResource;
  errors: VisitorErrors;
  /** Of the serving release. */
  detected: Detected;
  onOpenLogs(): void;
};

const TEXTS = MESSAGES.visitorErrors;

/** An app that runs, but answers with errors: what it may lack, and where to look. */
export function VisitorErrorsNotice(props: VisitorErrorsNoticeProps) {
  const { app, errors, detected, onOpenLogs } = props;
  const variables = unsetVariables(detected, app.values);
  return (
    <Notice tone="bad" icon={<CircleAlert size={17} aria-hidden="true" />}>
      <p className="font-medium">{TEXTS.headline}</p>
      <p className="mt-0.5 text-text">{TEXTS.details(errors.errors, errors.requests)}</p>
      {variables.length > 0 && (
        <div className="mt-3">
          <MissingVariables app={app} variables={variables} />
        </div>
      )}
      <div className="mt-3">
        <Button size="small" onClick={onOpenLogs}>
          {MESSAGES.openLogs}
        </Button>
      </div>
    </Notice>
  );
}
