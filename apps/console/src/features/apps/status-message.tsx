import type { StatusMessage as Message } from '@longshore/contract';
import { CircleAlert } from 'lucide-react';
import { Notice } from '../../ui/notice.tsx';

/** What happened, what to do about it, and the evidence as it is. */
export function FailureMessage({ message }: { message: Message }) {
  const { headline, nextStep, evidence } = message;
  return (
    <Notice tone="bad" icon={<CircleAlert size={17} aria-hidden="true" />}>
      <p className="font-medium">{headline || 'The application does not run'}</p>
      {nextStep !== undefined && <p className="mt-0.5 text-text">{nextStep}</p>}
      {evidence.length > 0 && (
        <pre className="mt-2.5 max-h-64 overflow-auto rounded-md border border-bad-line bg-log-page px-3 py-2 font-mono text-xs leading-5 whitespace-pre-wrap text-text">
          {evidence.join('\n')}
        </pre>
      )}
    </Notice>
  );
}
