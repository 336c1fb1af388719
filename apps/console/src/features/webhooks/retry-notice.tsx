import { Button } from '../../ui/button.tsx';
import { TRY_AGAIN } from '../../ui/texts.ts';
import { MESSAGES } from './messages.ts';

type RetryNoticeProps = { title: string; message: string; onRetry(): void };

export function RetryNotice({ title, message, onRetry }: RetryNoticeProps) {
  return (
    <div className="grid justify-items-start gap-2 px-4 py-3">
      <p role="alert" className="text-muted">
        {MESSAGES.failed(title, message)}
      </p>
      <Button size="small" onClick={onRetry}>
        {TRY_AGAIN}
      </Button>
    </div>
  );
}
