import type { AppResource, Delivery, DeliveryOutcome } from '@longshore/contract';
import { clsx } from 'clsx';
import { useEffect, useState } from 'react';
import { errorText } from '../../client/error-text.ts';
import { useServices } from '../../client/session-context.tsx';
import type { QueryState } from '../../client/use-query.ts';
import { useRequest } from '../../client/use-request.ts';
import { Button } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { retrying } from '../../ui/texts.ts';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { useToast } from '../../ui/toast/toast-context.tsx';
import { MESSAGES } from './messages.ts';

type DeliveryListProps = { app: AppResource; isOn: boolean };

/** Webhook deliveries with their outcome and reason, from a live query. */
export function DeliveryList({ app, isOn }: DeliveryListProps) {
  const { connect } = useServices();
  const toast = useToast();
  const state = useDeliveries(app.id);

  async function replay(delivery: Delivery) {
    const result = await connect.replayDelivery(app.id, delivery.id);
    if (!result.ok) {
      toast({ tone: 'bad', title: MESSAGES.replayFailed, text: errorText(result.error) });
    }
  }

  if (state.kind === 'failed') {
    return (
      <p role="alert" className="border-t border-line px-4 py-3 text-muted">
        {MESSAGES.deliveriesFailed}: {retrying(state.message)}
      </p>
    );
  }
  const list = state.kind === 'ready' ? state.data : undefined;
  // Without a webhook there are usually no deliveries; a skeleton would cause a layout shift.
  if ((list === undefined || list.length === 0) && !isOn) return null;
  return (
    <div className="border-t border-line">
      <h3 className="px-4 py-2.5 text-xs font-medium text-muted">{MESSAGES.deliveries}</h3>
      {list === undefined && <Skeleton className="mx-4 mb-4 h-10" />}
      {list?.length === 0 && <p className="px-4 pb-3 text-muted">{MESSAGES.none}</p>}
      {list !== undefined && list.length > 0 && (
        <ul className="max-h-96 divide-y divide-line overflow-y-auto border-t border-line">
          {list.map((delivery) => (
            <DeliveryItem key={delivery.id} delivery={delivery} onReplay={() => replay(delivery)} />
          ))}
        </ul>
      )}
    </div>
  );
}

/** Keeps the last deliveries while the live query reconnects. */
function useDeliveries(appId: string): QueryState<Delivery[]> {
  const { live } = useServices().deliveries;
  const [state, setState] = useState<QueryState<Delivery[]>>({ kind: 'loading' });
  useEffect(
    () =>
      live(appId, {
        next: (data) => setState({ kind: 'ready', data }),
        error: ({ message }) =>
          setState((before) => (before.kind === 'ready' ? before : { kind: 'failed', message })),
      }),
    [live, appId],
  );
  return state;
}

const TONES: Record<DeliveryOutcome, string> = {
  deployed: 'bg-ok-wash text-ok',
  ignored: 'bg-idle-wash text-idle',
  refused: 'bg-bad-wash text-bad',
};

type DeliveryItemProps = { delivery: Delivery; onReplay(): Promise<void> };

function DeliveryItem({ delivery, onReplay }: DeliveryItemProps) {
  const { isBusy, send } = useRequest(onReplay);
  const title = deliveryTitle(delivery);
  // Only pushes can be deployed.
  const canReplay = delivery.outcome !== 'refused' && delivery.ref !== null;
  return (
    <li className="grid gap-1 px-4 py-3">
      <div className="flex items-center gap-2">
        <span
          className={clsx('rounded-full px-2 py-0.5 text-xs font-medium', TONES[delivery.outcome])}
        >
          {MESSAGES.outcomes[delivery.outcome]}
        </span>
        {delivery.isReplay && <span className="text-xs text-faint">{MESSAGES.isReplay}</span>}
        <span className="ml-auto text-xs text-muted">
          <TimeAgo at={delivery.at} />
        </span>
      </div>
      <p className="font-mono text-xs break-all">{title}</p>
      <div className="flex items-end justify-between gap-2">
        <p className="text-muted">{delivery.reason}</p>
        {canReplay && (
          <Button
            size="small"
            isBusy={isBusy}
            aria-label={MESSAGES.replayOf(title)}
            onClick={() => void send(undefined)}
          >
            {MESSAGES.replay}
          </Button>
        )}
      </div>
    </li>
  );
}

const SHORT_COMMIT_LENGTH = 7;

/** Event, ref and commit, such as `push main 3f2a91c`. */
function deliveryTitle({ event, ref, commit }: Delivery): string {
  const shortRef = ref?.replace(/^refs\/(?:heads|tags)\//, '');
  return [event, shortRef, commit?.slice(0, SHORT_COMMIT_LENGTH)].filter(Boolean).join(' ');
}
