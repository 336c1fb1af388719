import type { AppResource, Delivery } from '@longshore/contract';
import { useCallback } from 'react';
import { errorText } from '../../client/error-text.ts';
import { useServices } from '../../client/session-context.tsx';
import { useQuery } from '../../client/use-query.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { RefreshCw } from '../../ui/icons.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useToast } from '../../ui/toast/toast-context.tsx';
import { AskAgain } from './ask-again.tsx';
import { DeliveryItem } from './delivery-item.tsx';
import { MESSAGES } from './messages.ts';

type DeliveryInboxProps = { app: AppResource; isOn: boolean };

/** Every delivery, what it matched and why it deployed or not. Asked again when the app changed. */
export function DeliveryInbox({ app, isOn }: DeliveryInboxProps) {
  const { connect } = useServices();
  const toast = useToast();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a push that deployed changed the app
  const ask = useCallback(
    (signal: AbortSignal) => connect.deliveries(app.id, { signal }),
    [connect, app.id, app.updatedAt],
  );
  const { state, isFetching, reload } = useQuery(ask);

  async function replayAndTell(delivery: Delivery) {
    const answer = await connect.replayDelivery(app.id, delivery.id);
    if (!answer.ok) {
      toast({ tone: 'bad', title: MESSAGES.replayFailed, text: errorText(answer.error) });
    }
    reload();
  }

  if (state.kind === 'failed') {
    return <AskAgain title={MESSAGES.deliveriesFailed} message={state.message} onPress={reload} />;
  }
  const list = state.kind === 'ready' ? state.data : undefined;
  // Mostly there are none then, and the page should not jump.
  if ((list === undefined || list.length === 0) && !isOn) return null;
  return (
    <div className="border-t border-line">
      <div className="flex items-center justify-between py-1 pr-2 pl-4">
        <h3 className="text-xs font-medium text-muted">{MESSAGES.deliveries}</h3>
        <IconButton
          label={MESSAGES.refresh}
          isBusy={isFetching && list !== undefined}
          onClick={reload}
        >
          {!isFetching && <RefreshCw size={14} aria-hidden="true" />}
        </IconButton>
      </div>
      {list === undefined && <Skeleton className="mx-4 mb-4 h-10" />}
      {list?.length === 0 && <p className="px-4 pb-3 text-muted">{MESSAGES.none}</p>}
      {list !== undefined && list.length > 0 && (
        <ul className="max-h-96 divide-y divide-line overflow-y-auto border-t border-line">
          {list.map((delivery) => (
            <DeliveryItem
              key={delivery.id}
              delivery={delivery}
              onReplay={() => replayAndTell(delivery)}
            />
          ))}
        </ul>
      )}
    </div>
  );
}
