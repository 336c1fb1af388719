import type { StatusMessage as Message } from '@longshore/contract';
import { BreakableUrl } from '../../ui/breakable-url.tsx';
import { Button } from '../../ui/button.tsx';
import { CircleAlert } from '../../ui/icons.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { MESSAGES } from './messages.ts';
import type { ButtonView } from './model/app-view.ts';

type FailureNoticeProps = {
  message: Message;
  /** The release that still serves, and its URL. */
  serving: number | undefined;
  address: string | undefined;
  onOpenLogs(): void;
  edit: ButtonView;
  onEdit(): void;
};

/** What happened, what to do about it, the evidence, and buttons for the next step. */
export function FailureNotice(props: FailureNoticeProps) {
  const { message, serving, address, edit, onOpenLogs, onEdit } = props;
  const { headline, nextStep, evidence } = message;
  return (
    <Notice tone="bad" icon={<CircleAlert size={17} aria-hidden="true" />}>
      <p className="font-medium">{headline || MESSAGES.notRunning}</p>
      {nextStep !== undefined && <p className="mt-0.5 text-text">{nextStep}</p>}
      {serving !== undefined && (
        <p className="mt-0.5 text-text">
          {MESSAGES.stillServing(serving, address !== undefined)}{' '}
          {address !== undefined && (
            <a
              href={address}
              target="_blank"
              rel="noopener noreferrer"
              className="rounded font-mono text-[0.8125rem] wrap-anywhere underline underline-offset-4 pointer-coarse:py-2.5"
            >
              <BreakableUrl>{address}</BreakableUrl>
            </a>
          )}
        </p>
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
      <div className="mt-3 flex flex-wrap gap-2">
        <Button size="small" onClick={onOpenLogs}>
          {MESSAGES.openLogs}
        </Button>
        <Tooltip text={edit.reason}>
          <Button size="small" isDisabled={edit.isDisabled} onClick={onEdit}>
            {MESSAGES.changeSettings}
          </Button>
        </Tooltip>
      </div>
    </Notice>
  );
}
