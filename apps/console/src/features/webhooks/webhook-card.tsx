import type { AppResource, Pin } from '@longshore/contract';
import { Card } from '../../ui/card.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { DeliveryList } from './delivery-list.tsx';
import { MESSAGES } from './messages.ts';
import { RetryNotice } from './retry-notice.tsx';
import type { WebhookQuery } from './use-webhook.ts';
import { WebhookSettings } from './webhook-settings.tsx';

type WebhookCardProps = {
  app: AppResource;
  /** Set while the app is pinned by a rollback. */
  pin: Pin | undefined;
  webhook: WebhookQuery;
};

/** Push to deploy for apps from git: the switch and the deliveries. */
export function WebhookCard({ app, pin, webhook: { state, reload } }: WebhookCardProps) {
  return (
    <Card title={MESSAGES.title}>
      {state.kind === 'loading' && <Skeleton className="mx-4 my-3 h-[2.3125rem]" />}
      {state.kind === 'failed' && (
        <RetryNotice title={MESSAGES.loadFailed} message={state.message} onRetry={reload} />
      )}
      {state.kind === 'ready' && (
        <>
          <WebhookSettings app={app} pin={pin} webhook={state.data} onChanged={reload} />
          <DeliveryList app={app} isOn={state.data.state !== 'off'} />
        </>
      )}
    </Card>
  );
}
