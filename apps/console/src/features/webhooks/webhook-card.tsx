import type { AppResource } from '@longshore/contract';
import { useCallback } from 'react';
import { useServices } from '../../client/session-context.tsx';
import { useQuery } from '../../client/use-query.ts';
import { Card } from '../../ui/card.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { AskAgain } from './ask-again.tsx';
import { DeliveryInbox } from './delivery-inbox.tsx';
import { MESSAGES } from './messages.ts';
import { WebhookSettings } from './webhook-settings.tsx';

/** Whether a push deploys an app from git, and what became of each. */
export function WebhookCard({ app }: { app: AppResource }) {
  const { connect } = useServices();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another source is another webhook
  const ask = useCallback(
    (signal: AbortSignal) => connect.webhook(app.id, { signal }),
    [connect, app.id, app.generation],
  );
  const { state, reload } = useQuery(ask);
  return (
    <Card title={MESSAGES.title}>
      {state.kind === 'loading' && <Skeleton className="mx-4 my-3 h-[3.3125rem]" />}
      {state.kind === 'failed' && (
        <AskAgain title={MESSAGES.loadFailed} message={state.message} onPress={reload} />
      )}
      {state.kind === 'ready' && (
        <>
          <WebhookSettings app={app} webhook={state.data} onChanged={reload} />
          <DeliveryInbox app={app} isOn={state.data.state !== 'off'} />
        </>
      )}
    </Card>
  );
}
