import { useIsolation } from '../../client/use-isolation.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { CircleAlert } from '../../ui/icons.tsx';
import { Notice } from '../../ui/notice.tsx';
import { MESSAGES } from './messages.ts';

/** For the operator: what is missing to isolate apps, and how to install it. */
export function IsolationNotice() {
  const status = useIsolation();
  if (status === undefined || !status.isOperator || status.missing.length === 0) return null;
  const { missing, installCommand, whoMayDeploy } = status;
  const texts = MESSAGES.isolation;
  return (
    <div className="mb-6">
      <Notice tone="idle" icon={<CircleAlert size={17} aria-hidden="true" />}>
        <p className="font-medium text-text">{texts.title}</p>
        <p className="mt-0.5">{texts.whoMayDeploy[whoMayDeploy]}</p>
        <ul className="mt-2 list-disc pl-5">
          {missing.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
        {installCommand !== null && (
          <div className="mt-2.5 flex items-center gap-2 rounded-md border border-line bg-log-page py-1 pr-1 pl-3">
            <code className="min-w-0 flex-1 font-mono text-xs break-words text-text">
              {installCommand}
            </code>
            <CopyButton text={installCommand} label={texts.copy} />
          </div>
        )}
      </Notice>
    </div>
  );
}
