import type { AppResource, StatusMessage as Message, Release, Retry } from '@longshore/contract';
import { shortRevision } from '../../lib/short-revision.ts';
import { Button } from '../../ui/button.tsx';
import { CircleAlert } from '../../ui/icons.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ChangeSettingsButton } from './change-settings-button.tsx';
import { FailureFixes } from './failure-fixes.tsx';
import { MESSAGES } from './messages.ts';
import type { ButtonView } from './model/app-view.ts';
import { readableEvidence } from './model/evidence.ts';
import { evidenceBeside, openFixes } from './model/fix.ts';
import { RetryCountdown } from './retry-countdown.tsx';

type FailureNoticeProps = {
  app: AppResource;
  message: Message;
  /** The release that failed, if it is known. */
  release: Release | undefined;
  /** Number of the release that serves meanwhile. */
  serving: number | undefined;
  retry: Retry | undefined;
  edit: ButtonView;
  onOpenLogs(): void;
  onEdit(): void;
  /** Called after settings were changed. */
  onSent(): void;
};

/** What happened, what to do about it, the evidence, the next attempt, and buttons for the next step. */
export function FailureNotice(props: FailureNoticeProps) {
  const { app, message, release, serving, retry, edit, onOpenLogs, onEdit, onSent } = props;
  const { headline, nextStep } = message;
  const evidence = evidenceBeside(
    openFixes(release?.fixes ?? [], app.values),
    readableEvidence(message.evidence),
  );
  return (
    <Notice
      tone={release?.outcome === 'cancelled' ? 'idle' : 'bad'}
      icon={<CircleAlert size={17} aria-hidden="true" />}
    >
      <p className="font-medium">{headline || MESSAGES.notRunning}</p>
      {nextStep !== undefined && <p className="mt-0.5 text-text">{nextStep}</p>}
      {serving !== undefined && serving !== release?.number && (
        <p className="mt-0.5 text-text">{MESSAGES.stillServing(serving)}</p>
      )}
      {release !== undefined && <FailedRelease {...release} />}
      {release !== undefined && (
        <FailureFixes app={app} fixes={release.fixes} edit={edit} onSent={onSent} />
      )}
      {evidence.length > 0 && (
        <pre
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
          tabIndex={0}
          className="mt-2.5 max-h-64 overflow-auto rounded-md border border-bad-line bg-log-page px-3 py-2 font-mono text-xs leading-5 whitespace-pre-wrap text-text"
        >
          {evidence.join('\n')}
        </pre>
      )}
      {retry !== undefined && (
        <RetryCountdown app={{ id: app.id, name: app.values.name }} retry={retry} action={edit} />
      )}
      <div className="mt-3 flex flex-wrap gap-2">
        <Button size="small" onClick={onOpenLogs}>
          {MESSAGES.openLogs}
        </Button>
        <ChangeSettingsButton edit={edit} onEdit={onEdit} />
      </div>
    </Notice>
  );
}

/** Number and commit of the release, as in the release list. */
function FailedRelease({ number, revision }: Release) {
  return (
    <p className="mt-1 flex gap-2 text-xs text-muted tabular-nums">
      {MESSAGES.releaseNumber(number)}
      {revision !== undefined && (
        <code className="font-mono" title={revision}>
          {shortRevision(revision)}
        </code>
      )}
    </p>
  );
}
