import { useState } from 'react';
import { useServices } from '../../client/session-context.tsx';
import { useRequest } from '../../client/use-request.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useToast } from '../../ui/toast/toast-context.tsx';
import { MESSAGES } from './messages.ts';

const { buildCache: TEXTS } = MESSAGES;

/** For builds that fail or differ because of what earlier ones left. */
export function BuildCacheCard({ appId }: { appId: string }) {
  const { releases } = useServices();
  const { isBusy, send } = useRequest(releases.clearBuildCache);
  const toast = useToast();
  const [isAsking, setAsking] = useState(false);

  async function clear(): Promise<void> {
    const result = await send(appId);
    setAsking(false);
    if (result.ok) toast({ title: TEXTS.cleared });
    else toast({ tone: 'bad', title: TEXTS.failed, text: result.error.message });
  }

  return (
    <Card title={TEXTS.title}>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 p-4">
        <p className="min-w-0 flex-1 basis-64 text-muted">{TEXTS.text}</p>
        <Button onClick={() => setAsking(true)}>{TEXTS.clear}</Button>
      </div>
      {isAsking && (
        <ConfirmDialog
          isOpen
          onOpenChange={() => setAsking(false)}
          title={TEXTS.question}
          confirmLabel={TEXTS.clear}
          isHarmless
          isBusy={isBusy}
          onConfirm={() => void clear()}
        >
          <p>{TEXTS.consequence}</p>
        </ConfirmDialog>
      )}
    </Card>
  );
}
