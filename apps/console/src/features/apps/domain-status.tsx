import type { AppRef } from '@longshore/client';
import { clsx } from 'clsx';
import { Button } from '../../ui/button.tsx';
import { MESSAGES } from './messages.ts';
import { type DomainView, domainView } from './model/domain-view.ts';
import { useDomainCheck } from './use-domain-check.ts';

const TONES: Record<DomainView['tone'], string> = {
  good: 'text-ok',
  bad: 'text-bad',
  idle: 'text-faint',
};

/** Whether a custom domain leads to the app. */
export function DomainStatus({ app }: { app: AppRef }) {
  const looked = useDomainCheck(app);
  if (looked === undefined) return null;
  const { tone, sentence, addresses } = domainView(looked.check);
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-4 py-3">
      <p role="status" className={clsx('min-w-0 flex-1 basis-48', TONES[tone])}>
        {sentence}
        {addresses !== '' && (
          <span className="block font-mono text-[0.8125rem] break-all">{addresses}</span>
        )}
      </p>
      <Button isBusy={looked.check === undefined} onClick={() => void looked.look()}>
        {MESSAGES.checkAgain}
      </Button>
    </div>
  );
}
