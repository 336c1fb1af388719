import type { AppResource } from '@longshore/contract';
import { useCallback } from 'react';
import { useServices } from '../../client/session-context.tsx';
import { useQuery } from '../../client/use-query.ts';
import { Card } from '../../ui/card.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { DeliveryList } from './delivery-list.tsx';
import { MESSAGES } from './messages.ts';
import { RetryNotice } from './retry-notice.tsx';
import { WebhookSettings } from './webhook-settings.tsx';

/** Push to deploy for apps from git: the switch and the deliveries. */
export function WebhookCard({ app }: { app: AppResource }) {
  const { connect } = useServices();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another source has another webhook
  const load = useCallback(
    (signal: AbortSignal) => connect.webhook(app.id, { signal }),
    [connect, app.id, app.updatedAt],
  );
  const { state, reload } = useQuery(load);
  return (
    <Card title={MESSAGES.title}>
      {state.kind === 'loading' && <Skeleton className="mx-4 my-3 h-[2.3125rem]" />}
      {state.kind === 'failed' && (
        <RetryNotice title={MESSAGES.loadFailed} message={state.message} onRetry={reload} />
      )}
      {state.kind === 'ready' && (
        <>
          <WebhookSettings app={app} webhook={state.data} onChanged={reload} />
          <DeliveryList app={app} isOn={state.data.state !== 'off'} />
        </>
      )}
    </Card>
  );
}
