import type { AppResource } from '@longshore/contract';
import { useCallback } from 'react';
import { useWebhooks } from '../../backend/live-context.tsx';
import { useAnswer } from '../../backend/use-answer.ts';
import { Card } from '../../ui/card.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { AskAgain } from './ask-again.tsx';
import { DeliveryInbox } from './delivery-inbox.tsx';
import { MESSAGES } from './messages.ts';
import { WebhookSettings } from './webhook-settings.tsx';

/** Whether a push deploys an app from git, and what became of each. */
export function WebhookCard({ app }: { app: AppResource }) {
  const { webhook } = useWebhooks();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another source is another webhook
  const ask = useCallback(
    (signal: AbortSignal) => webhook(app.id, signal),
    [webhook, app.id, app.generation],
  );
  const { state, askAgain } = useAnswer(ask);
  return (
    <Card title={MESSAGES.title}>
      {state.kind === 'loading' && <Skeleton className="mx-4 my-3 h-[3.3125rem]" />}
      {state.kind === 'failed' && (
        <AskAgain title={MESSAGES.loadFailed} message={state.message} onPress={askAgain} />
      )}
      {state.kind === 'ready' && (
        <>
          <WebhookSettings app={app} webhook={state.value} onChanged={askAgain} />
          <DeliveryInbox app={app} isOn={state.value.state !== 'off'} />
        </>
      )}
    </Card>
  );
}
